import { type ToolEntry, isRecord, jsonFault, withoutByteOrderMark } from '@service-mcp/core/wire';
import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { chooseWorkspace } from '../connection/workspaces.js';
import { Failure, isRefusal } from '../failure.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import type { JsonObject } from '../json.js';
import { describeTool, exampleCall } from '../tool/describe-tool.js';
import { parseFlags } from '../tool/parse-flags.js';
import { fetchTool } from '../tool/find-tool.js';
import type { Schema } from '../tool/schema.js';

interface CallFlags extends ConnectionOptions {
  readonly text?: boolean;
}

export function addCall(program: Command, invocation: Invocation): void {
  const command = program
    .command('call')
    .description('call a tool and print its result, as JSON or as the text that a model reads')
    .argument('[tool]', 'name of the tool (service-mcp tools lists them)')
    .argument(
      '[arguments...]',
      'one JSON object, - to read it from stdin, or flags: --workspace-id ID --limit 5',
    )
    .allowUnknownOption()
    // After the tool's name every flag is the tool's; --help shows its arguments.
    .passThroughOptions()
    .helpOption(false);
  addConnectionOptions(command)
    .option('--json', 'print errors as JSON too (results are JSON unless --text is given)')
    .option('--text', 'print the result as the text that a model reads')
    .addHelpText(
      'after',
      [
        '',
        "Options go before the tool's name: after it every flag is an argument of the tool.",
        '',
        'Examples:',
        '  service-mcp call help --action version',
        `  service-mcp call search_hybrid '{"query":"token refresh","limit":3}'`,
        '  service-mcp call files_read --project-id ID --path src/index.ts',
        '  service-mcp call --url https://memory.example.org search_hybrid --query "token refresh"',
        '  service-mcp call --text context --query "token refresh"',
        '  service-mcp call search_hybrid --help',
      ].join('\n'),
    )
    .action((tool: string | undefined, rest: string[], options: CallFlags) =>
      call(command, tool, rest, options, invocation),
    );
}

async function call(
  command: Command,
  name: string | undefined,
  rest: readonly string[],
  options: CallFlags,
  invocation: Invocation,
): Promise<void> {
  const { terminal } = invocation;
  if (name === '--help' || name === '-h') return command.outputHelp();
  if (name === undefined || name.startsWith('-')) {
    const fault = name === undefined ? 'Name the tool to call.' : `call has no option ${name}.`;
    throw new Failure(fault, { next: `List the tools with: ${commandName()} tools` });
  }
  // Read before connecting: invalid JSON is reported without a service.
  const given = rest[0] === undefined || rest[0].startsWith('--') ? undefined : await readJson(rest);
  // Indexing is the work of `serve` and `ingest`, not of a single call in this process.
  const tellOrder = misplaced(name, rest);
  // Where a place stands after the name, which service is used is told of only once the call is known to be meant for it.
  const notes: string[] = [];
  const quiet = { ...terminal, note: (line: string) => void notes.push(line) };
  const asked = placeIn(rest) === undefined ? invocation : { ...invocation, terminal: quiet };
  await using connection = await connect(options, asked).catch(tellOrder);
  const { target } = connection;
  const tool = given ? undefined : await fetchTool(connection, name, target).catch(tellOrder);
  if (tool && (rest[0] === '-h' || (rest.includes('--help') && !takes(tool, '--help')))) {
    describeTool(tool, terminal).forEach((line) => terminal.out(line));
    return terminal.out(`\n${exampleCall(tool, target)}`);
  }
  const args = given ?? (tool ? readFlags(rest, tool, target) : {});
  notes.forEach((line) => terminal.note(line));
  const result = await (options.text ? connection.read(name, args) : connection.call(name, args))
    .catch(chooseWorkspace(connection, args, '--workspace-id'))
    .catch((thrown: unknown) => {
      if (!isRefusal(thrown, 'INVALID_ARGUMENT')) throw thrown;
      throw thrown.with({ next: thrown.next ?? `Its arguments: ${commandName()} tools${target} ${name}` });
    });
  if (typeof result === 'string') terminal.passage(result);
  else terminal.value(result);
}

/** The options of `call` itself, and whether each takes a value. */
const OWN_OPTIONS: Readonly<Record<string, boolean>> = {
  '--url': true,
  '--key-stdin': false,
  '--config': true,
  '--data': true,
  '--json': false,
  '--text': false,
};

/** Those that say where the service is. */
const PLACES = { '--url': true, '--config': true, '--data': true };

/** For `catch` of a look for a service and its tool: another place may have been meant. */
function misplaced(name: string, rest: readonly string[]): (thrown: unknown) => never {
  return (thrown) => {
    const place = placeIn(rest);
    if (place === undefined || !(thrown instanceof Failure)) throw thrown;
    throw thrown.with({
      next: `${place} after the tool's name is an argument of the tool. To choose the service with it, it goes before. ${before(place, name)}`,
    });
  };
}

function placeIn(words: readonly string[]): string | undefined {
  return words.map((word) => word.split('=')[0] ?? '').find((word) => Object.hasOwn(PLACES, word));
}

function before(option: string, tool: string): string {
  return `Write: ${commandName()} call ${option}${OWN_OPTIONS[option] ? ' …' : ''} ${tool} …`;
}

/** The words of a command line that are this program's: of `call` those before the tool's name. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const from = argv.findIndex((word) => !word.startsWith('-'));
  if (argv[from] !== 'call') return argv;
  let end = from + 1;
  while (argv[end]?.startsWith('-')) end += OWN_OPTIONS[argv[end] ?? ''] ? 2 : 1;
  return argv.slice(0, end);
}

function takes({ inputSchema }: ToolEntry, flag: string): boolean {
  const { properties = {} } = inputSchema as Schema;
  return Object.hasOwn(properties, flag.slice(2).replaceAll('-', '_'));
}

function readFlags(tokens: readonly string[], tool: ToolEntry, target: string): JsonObject {
  const flags = tokens.filter((token) => token.startsWith('--')).map((token) => token.split('=')[0] ?? '');
  const stray = flags.find((flag) => Object.hasOwn(OWN_OPTIONS, flag) && !takes(tool, flag));
  if (stray === undefined) return parseFlags(tokens, tool.name, tool.inputSchema, target);
  throw new Failure(
    `${tool.name} takes no argument ${stray}. The option ${stray} goes before the tool's name.`,
    { next: before(stray, tool.name) },
  );
}

/** One JSON object, from the text itself or, for `-`, from stdin. */
async function readJson([text = '', ...others]: readonly string[]): Promise<JsonObject> {
  if (others.length > 0) {
    throw new Failure('The arguments are one JSON object, or flags.', {
      next: "Give one or the other. Options go before the tool's name.",
    });
  }
  let source = text;
  if (text === '-') {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    source = withoutByteOrderMark(Buffer.concat(parts).toString('utf8'));
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new Failure(`The arguments are not valid JSON: ${jsonFault(source) ?? 'the text is damaged'}.`, {
      next: `Give one object, such as '{"limit":5}', or flags: --limit 5`,
    });
  }
  if (isRecord(value)) return value;
  throw new Failure('The arguments must be one JSON object.', { next: `Write them as '{"limit":5}'.` });
}
