import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { Failure, isRefusal } from '../failure.js';
import { commandName, type Invocation } from '../invocation.js';
import { isObject, type JsonObject } from '../json.js';
import { describeTool, exampleCall } from '../tool/describe-tool.js';
import { parseFlags } from '../tool/parse-flags.js';
import { fetchTool } from '../tool/find-tool.js';

export function addCall(program: Command, invocation: Invocation): void {
  const command = program
    .command('call')
    .description('call a tool and print its result as JSON')
    .argument('[tool]', 'name of the tool (service-mcp tools lists them)')
    .argument(
      '[arguments...]',
      'one JSON object, - to read it from stdin, or flags: --workspace-id ID --limit 5',
    )
    .allowUnknownOption()
    // --help after a tool shows that tool's arguments.
    .helpOption(false);
  addConnectionOptions(command)
    .option('--json', 'print errors as JSON too; the result always is')
    .addHelpText(
      'after',
      [
        '',
        'Arguments named --url, --config, --data and --json belong to this command: give such a tool its JSON.',
        '',
        'Examples:',
        '  service-mcp call help --action version',
        `  service-mcp call search_hybrid '{"query":"token refresh","limit":3}'`,
        '  service-mcp call files_read --project-id ID --path src/index.ts',
        '  service-mcp call search_hybrid --help',
      ].join('\n'),
    )
    .action((tool: string | undefined, rest: string[], options: ConnectionOptions) =>
      call(command, tool, rest, options, invocation),
    );
}

async function call(
  command: Command,
  name: string | undefined,
  rest: readonly string[],
  options: ConnectionOptions,
  invocation: Invocation,
): Promise<void> {
  const { terminal } = invocation;
  const asksHelp = (token: string | undefined) => token === '--help' || token === '-h';
  if (asksHelp(name)) return command.outputHelp();
  if (name === undefined || name.startsWith('-'))
    throw new Failure('Name the tool to call.', { next: `List them with: ${commandName()} tools` });
  // Read before connecting: invalid JSON is reported without a service.
  const given = rest.length === 1 && !rest[0]?.startsWith('--') ? await readJson(rest[0] ?? '') : undefined;
  // Indexing is the work of `serve` and `ingest`, not of a single call in this process.
  await using connection = await connect(options, invocation);
  if (rest.some(asksHelp)) {
    const tool = await fetchTool(connection, name);
    describeTool(tool, terminal).forEach((line) => terminal.out(line));
    return terminal.out(`\n${exampleCall(tool)}`);
  }
  const args = given ?? parseFlags(rest, name, (await fetchTool(connection, name)).inputSchema);
  const result = await connection
    .call(name, args)
    .catch(chooseWorkspace(connection, args, '--workspace-id'))
    .catch((thrown: unknown) => {
      if (!isRefusal(thrown, 'INVALID_ARGUMENT')) throw thrown;
      throw thrown.with({ next: thrown.next ?? `Its arguments: ${commandName()} tools ${name}` });
    });
  terminal.value(result);
}

/** One JSON object, from the text itself or, for `-`, from stdin. */
async function readJson(text: string): Promise<JsonObject> {
  let source = text;
  if (text === '-') {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    source = Buffer.concat(parts).toString('utf8');
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (thrown) {
    throw new Failure(`The arguments are not valid JSON: ${(thrown as Error).message}`, {
      next: `Give one object, such as '{"limit":5}', or flags: --limit 5`,
    });
  }
  if (isObject(value)) return value;
  throw new Failure('The arguments must be one JSON object.', { next: `Write them as '{"limit":5}'.` });
}
