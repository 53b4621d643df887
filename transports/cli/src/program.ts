import { Command, Help, type Option } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addCall } from './commands/call.js';
import { addCodegen } from './commands/codegen.js';
import { addDoctor } from './commands/doctor.js';
import { addHttp } from './commands/http.js';
import { addIngest } from './commands/ingest.js';
import { addKeys } from './commands/keys.js';
import { addMigrate } from './commands/migrate.js';
import { addSearch } from './commands/search.js';
import { addServe } from './commands/serve.js';
import { addStdio } from './commands/stdio.js';
import { addTools } from './commands/tools.js';
import { addVerifyKey } from './commands/verify-key.js';
import { fold } from './terminal/format.js';
import { version, type Invocation } from './invocation.js';
import { addHints } from './usage.js';

export function createProgram(invocation: Invocation): Command {
  const { terminal } = invocation;
  const program = new Command('service-mcp')
    .description('Context memory and search for people and AI tools: ingest a folder, then ask it.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({
      styleTitle: (text) => terminal.paint('bold', text),
      styleCommandText: (text) => terminal.paint('cyan', text),
      styleOptionText: (text) => terminal.paint('cyan', text),
      sortOptions: false,
      optionDescription(this: Help, option: Option) {
        // An empty list is not worth showing.
        return Help.prototype.optionDescription.call(this, option).replace(' (default: [])', '');
      },
    })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(fold(text, terminal.columns)),
      writeErr: (text) => void process.stderr.write(fold(text, terminal.errorColumns)),
    })
    .exitOverride();
  addServe(program, invocation);
  addHttp(program, invocation);
  addStdio(program, invocation);
  addIngest(program, invocation);
  addSearch(program, invocation);
  addTools(program, invocation);
  addCall(program, invocation);
  addCodegen(program, invocation);
  addKeys(program, invocation);
  addVerifyKey(program, invocation);
  addAccounts(program, invocation);
  addMigrate(program, invocation);
  addDoctor(program, invocation);
  addHints(program);
  return program.addHelpText(
    'after',
    [
      '',
      terminal.paint('bold', 'Try:'),
      '  service-mcp ingest .                    index this folder; no server is needed',
      '  service-mcp search "where is auth done" search it',
      '  service-mcp serve                       serve it to AI tools over MCP and REST',
      '',
      'Exit codes: 0 done, 1 failed, 2 service out of reach, 130 interrupted.',
    ].join('\n'),
  );
}
