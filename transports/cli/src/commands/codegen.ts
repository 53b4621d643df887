import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { commandName } from '../command.js';
import { ServiceError } from '../codegen/client/error.js';
import { listTools } from '../codegen/client/toolset.js';
import { checkedUrl, DEFAULT_URL } from '../connection/address.js';
import { credentialFor } from '../connection/connect.js';
import type { Credential } from '../connection/credentials.js';
import { remedy } from '../connection/http.js';
import { EXIT, Failure, systemCode } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural, printable } from '../terminal/format.js';

interface CodegenOptions {
  readonly url?: string;
  readonly keyStdin?: boolean;
  readonly toolset: string;
  readonly out?: string;
}

export function addCodegen(program: Command, invocation: Invocation): void {
  program
    .command('codegen')
    .description('write a typed TypeScript client for the tools of a running service')
    .option('--url <address>', `address of the service (env SERVICE_API_URL; default: ${DEFAULT_URL})`)
    .option('--key-stdin', 'read the API key from standard input (env SERVICE_API_KEY)')
    .option('--toolset <name>', 'light, standard, complete, or the name of a toolset', 'complete')
    .option('--out <file>', 'where to write it (default: standard output)')
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
  if (terminal.json && out === undefined) {
    throw new Failure('--json tells about the file, and there is none.', { next: 'Add --out FILE.' });
  }
  const url = checkedUrl(options.url ?? (process.env['SERVICE_API_URL'] || DEFAULT_URL));
  const credential = await credentialFor(url, true, options, terminal);
  const tools = await listTools({ url, key: credential?.key }, toolset, { signal }).catch(
    explain(url, credential, signal),
  );
  if (tools.length === 0) {
    throw new Failure(`The toolset ${printable(toolset)} holds no tool that this key may use.`, {
      next: `See what there is: ${commandName()} tools --url ${url}`,
    });
  }
  // Loaded where it is needed: other commands start faster without it.
  const { generate } = await import('../codegen/generate.js');
  const { source, hash, unchecked } = await generate(toolset, tools).catch((thrown: unknown) => {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new Failure('Some schema nests too deep for a client.', {
      next: `Leave its tool out with --toolset: ${commandName()} tools --url ${url} lists the others.`,
      cause: thrown,
    });
  });
  for (const each of unchecked) terminal.warn(`Not checked by the client: ${printable(each)}`);
  if (out === undefined) return void process.stdout.write(source);
  await writeFile(out, source).catch((thrown: unknown) => {
    throw new Failure(`${out} cannot be written (${systemCode(thrown) ?? 'unknown error'}).`, {
      next: 'Name a file in a folder that is there, with --out.',
      cause: thrown,
    });
  });
  if (terminal.json)
    return terminal.value({ file: out, toolset, hash, tools: tools.map(({ name }) => name) });
  terminal.out(`${out}: a client for ${plural(tools.length, 'tool')} of ${url}.`);
}

/** A failure of the list in the words of the command line. */
function explain(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): (thrown: unknown) => never {
  return (thrown) => {
    if (signal.aborted) throw new Failure('Stopped.', { cause: thrown });
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { code, message, status, details } = thrown;
    const text = printable(message);
    if (code === 'UNREACHABLE') {
      throw new Failure(text, {
        exit: EXIT.unreachable,
        next: `Start it with: ${commandName()} serve   (or give another address with --url or SERVICE_API_URL)`,
        cause: thrown,
      });
    }
    if (code === 'UNEXPECTED_REPLY')
      throw new Failure(text, {
        exit: EXIT.unreachable,
        next: 'Give the address of the service with --url.',
      });
    throw new Failure(text, { code, next: remedy(url, status ?? 0, details, credential), cause: thrown });
  };
}
