import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ServiceError } from '../codegen/client/error.js';
import { listTools } from '../codegen/client/toolset.js';
import { chosenUrl } from '../connection/address.js';
import { addServiceOptions, credentialFor, type ServiceOptions } from '../connection/connect.js';
import type { Credential } from '../connection/credentials.js';
import { keyRemedy, startHint } from '../connection/remedy.js';
import { EXIT, Failure, outFailure } from '../failure.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';

interface CodegenOptions extends ServiceOptions {
  readonly toolset: string;
  readonly out?: string;
}

export function addCodegen(program: Command, invocation: Invocation): void {
  const command = program
    .command('codegen')
    .description('write a typed TypeScript client for the tools of a running service');
  addServiceOptions(command)
    .option('--toolset <name>', 'light, standard, complete, or the name of a toolset', 'complete')
    .option('--out <file>', 'output file (default: standard output)')
    .option('--json', 'print the hash and the names of the tools as JSON; needs --out')
    .addHelpText(
      'after',
      [
        '',
        'The client holds what the key may use: types, Zod validators of arguments and results, a method for each tool,',
        'and a hash of the toolset, which it compares with that of the service before its first call. It needs zod 4.',
        '',
        'Example:',
        '  service-mcp codegen --toolset standard --out src/service-client.ts',
      ].join('\n'),
    )
    .action((options: CodegenOptions) => codegen(options, invocation));
}

async function codegen(options: CodegenOptions, { terminal, signal }: Invocation): Promise<void> {
  const { toolset, out } = options;
  if (terminal.json && out === undefined)
    throw new Failure('--json describes the file, so it needs one.', { next: 'Add --out FILE.' });
  const url = chosenUrl(options);
  const credential = await credentialFor(url, options, terminal);
  const tools = await listTools({ url, key: credential?.key }, toolset, { signal }).catch(
    (thrown: unknown) => {
      throw explained(thrown, url, credential, signal);
    },
  );
  const list = `${commandName()} tools --url ${url}`;
  if (tools.length === 0) {
    throw new Failure(`The toolset ${printable(toolset)} holds no tool that this key may use.`, {
      next: `See what there is: ${list}`,
    });
  }
  // Imported here, because other commands start faster without it.
  const { generateClient } = await import('../codegen/generate-client.js');
  const { source, hash, unchecked } = await generateClient(toolset, tools).catch((thrown: unknown) => {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new Failure('A schema nests too deep for a client.', {
      next: `Choose other tools with --toolset: ${list} lists them.`,
      cause: thrown,
    });
  });
  for (const each of unchecked) terminal.warn(`Not checked by the client: ${printable(each)}`);
  if (out === undefined) return void process.stdout.write(source);
  await writeFile(out, source).catch((thrown: unknown) => {
    throw outFailure(out, thrown);
  });
  if (terminal.json)
    return terminal.value({ file: out, toolset, hash, tools: tools.map(({ name }) => name) });
  terminal.out(`${out}: a client for ${plural(tools.length, 'tool')} of ${url}.`);
}

/** A failure of the generated client's own code as the command line shows it. */
function explained(
  thrown: unknown,
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): unknown {
  if (signal.aborted) return new Failure('Stopped.', { cause: thrown });
  if (!(thrown instanceof ServiceError)) return thrown;
  const { code, message, status, details } = thrown;
  const text = printable(message);
  const exit = EXIT.unreachable;
  if (code === 'UNREACHABLE') return new Failure(text, { exit, next: startHint(url), cause: thrown });
  if (code === 'UNEXPECTED_REPLY')
    return new Failure(text, { exit, next: 'Give the address of the service with --url.', cause: thrown });
  return new Failure(text, { code, next: keyRemedy(url, status, details, credential), cause: thrown });
}
