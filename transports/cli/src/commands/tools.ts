import type { Command } from 'commander';
import { commandName } from '../command.js';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import type { Connection, ToolEntry } from '../connection/connection.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { clip, plural, printable } from '../terminal/format.js';
import { table } from '../terminal/table.js';
import { describeTool, exampleCall } from '../tool/describe.js';

interface ToolsOptions extends ConnectionOptions {
  readonly toolset: string;
}

export function addTools(program: Command, invocation: Invocation): void {
  const command = program
    .command('tools')
    .description('list the tools that can be called, or show one with its arguments')
    .argument('[name]', 'the tool to show')
    .option('--toolset <name>', 'light, standard, complete, or the name of a toolset', 'complete');
  addConnectionOptions(command)
    .option('--json', 'print the tools with their schemas as JSON')
    .action((name: string | undefined, options: ToolsOptions) => tools(name, options, invocation));
}

async function tools(
  name: string | undefined,
  options: ToolsOptions,
  { terminal, signal }: Invocation,
): Promise<void> {
  const connection = await connect(options, { terminal, signal, workers: false });
  try {
    const entries = await connection.tools(options.toolset, signal);
    if (name !== undefined) {
      const tool = pickTool(entries, name);
      if (terminal.json) return terminal.value(tool);
      describeTool(tool, terminal).forEach((line) => terminal.out(line));
      terminal.out();
      return terminal.out(`${terminal.paint('bold', 'Call it')}\n  ${exampleCall(tool)}`);
    }
    if (terminal.json) return terminal.value(entries);
    const rows = entries.map((tool) => [
      terminal.paint('cyan', printable(tool.name)),
      terminal.paint(tool.effect === 'read' ? 'dim' : 'yellow', tool.effect),
      clip(printable(tool.title), Math.max(20, terminal.columns - 40)),
    ]);
    table(rows).forEach((line) => terminal.out(line));
    terminal.say(
      terminal.shade(
        'dim',
        `\n${plural(entries.length, 'tool')}. Show one with: ${commandName()} tools NAME`,
      ),
    );
  } finally {
    await connection.close();
  }
}

/** The tool of that name; a Failure that names near ones otherwise. */
function pickTool(entries: readonly ToolEntry[], name: string): ToolEntry {
  const found = entries.find((tool) => tool.name === name);
  if (found) return found;
  const near = entries.map((tool) => tool.name).filter((known) => isNear(known, name));
  throw new Failure(`There is no tool "${name}".`, {
    next:
      near.length > 0
        ? `Did you mean ${near.slice(0, 4).join(', ')}?`
        : `List them with: ${commandName()} tools`,
  });
}

/** The tool by name over a connection. */
export async function fetchTool(
  connection: Connection,
  name: string,
  signal: AbortSignal,
): Promise<ToolEntry> {
  return pickTool(await connection.tools('complete', signal), name);
}

/** Shares a word, or all letters but for one or two. */
function isNear(known: string, typed: string): boolean {
  const words = typed
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  if (words.some((word) => known.includes(word))) return true;
  let shared = 0;
  while (shared < typed.length && known[shared] === typed[shared]) shared += 1;
  return shared >= 3 && shared >= typed.length - 2;
}
