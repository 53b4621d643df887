import { Command, Help, type Option } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addCall } from './commands/call.js';
import { addCodegen } from './commands/codegen.js';
import { addDoctor } from './commands/doctor.js';
import { addExport } from './commands/export.js';
import { addImport } from './commands/import.js';
import { addHttp } from './commands/http.js';
import { addIngest } from './commands/ingest.js';
import { addInvitations } from './commands/invitations.js';
import { addKeys } from './commands/keys.js';
import { addMigrate } from './commands/migrate.js';
import { addSearch } from './commands/search.js';
import { addServe } from './commands/serve.js';
import { addSetup } from './commands/setup.js';
import { addStdio } from './commands/stdio.js';
import { addTools } from './commands/tools.js';
import { addVerifyKey } from './commands/verify-key.js';
import { addWorker } from './commands/worker.js';
import { commandName } from './command-name.js';
import { version, type Invocation } from './invocation.js';
import { fold } from './terminal/format.js';

/** In the order in which the help lists them. */
const COMMANDS = [
  addServe,
  addWorker,
  addHttp,
  addStdio,
  addSetup,
  addIngest,
  addSearch,
  addTools,
  addCall,
  addCodegen,
  addExport,
  addImport,
  addKeys,
  addVerifyKey,
  addInvitations,
  addAccounts,
  addMigrate,
  addDoctor,
];

/** With --json usage errors are not printed: `onUsage` gets their text, for `run` to report as JSON. */
export function createProgram(invocation: Invocation, onUsage: (text: string) => void): Command {
  const { paint, columns, errorColumns, json } = invocation.terminal;
  const program = new Command('service-mcp')
    .description('Context memory and search for people and AI tools: ingest a folder, then ask it.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({
      styleTitle: (text) => paint('bold', text),
      styleCommandText: (text) => paint('cyan', text),
      styleOptionText: (text) => paint('cyan', text),
      sortOptions: false,
      optionDescription(this: Help, option: Option) {
        // An empty list is not worth showing.
        return Help.prototype.optionDescription.call(this, option).replace(' (default: [])', '');
      },
    })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(fold(text, columns)),
      writeErr: (text) => (json ? onUsage(text) : void process.stderr.write(fold(text, errorColumns))),
    })
    .enablePositionalOptions() // for call, which leaves the flags after its tool to the tool
    .exitOverride();
  for (const add of COMMANDS) add(program, invocation);
  addHints(program);
  return program.addHelpText(
    'after',
    [
      '',
      paint('bold', 'Try:'),
      '  service-mcp ingest .                    index this folder; no server is needed',
      '  service-mcp search "where is auth done" search it',
      '  service-mcp serve                       serve it to AI tools over MCP and REST',
      '',
      'Exit codes: 0 done, 1 failed, 2 service unreachable, 130 or 143 interrupted (Ctrl-C, SIGTERM).',
    ].join('\n'),
  );
}

/** Adds the known commands and a pointer to the help to usage errors, for a command and its subcommands. */
function addHints(command: Command, path = commandName()): void {
  const names = command.commands.map((each) => each.name());
  const commands = names.length > 0 ? `Commands: ${names.join(', ')}.\n` : '';
  command.showHelpAfterError(`${commands}Run ${path} --help to see what it takes.`);
  for (const each of command.commands) addHints(each, `${path} ${each.name()}`);
}

/**
 * The command line to parse where help is asked for. With an unknown command it ends at that name, so that the command
 * is refused and not answered with its parent's help. `help keys create` becomes `keys create --help`. Other command
 * lines are returned unchanged.
 */
export function withKnownHelp(program: Command, argv: readonly string[]): readonly string[] {
  let asked = false;
  let at = program;
  const path: string[] = [];
  for (const word of argv) {
    if (at.commands.length === 0) break;
    if (word.startsWith('-')) continue;
    if (word === 'help') {
      asked = true;
      continue;
    }
    path.push(word);
    const next = at.commands.find((each) => each.name() === word);
    if (!next) return asked || argv.includes('--help') || argv.includes('-h') ? path : argv;
    at = next;
  }
  if (!asked) return argv;
  return path.length > 1 ? [...path, '--help'] : ['help', ...path];
}
