import type { Command } from 'commander';
import { effectOf } from '@service-mcp/core/wire';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connect.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { clip, plural, printable } from '../terminal/format.js';
import { describeTool, exampleCall } from '../tool/describe-tool.js';
import { fetchTool, findTool } from '../tool/find-tool.js';

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

async function tools(name: string | undefined, options: ToolsOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const { paint } = terminal;
  await using connection = await connect(options, invocation);
  const { target } = connection;
  if (name !== undefined) {
    const tool =
      options.toolset === 'complete'
        ? await fetchTool(connection, name, target)
        : findTool(await connection.tools(options.toolset), name, target);
    if (terminal.json) return terminal.value(tool);
    describeTool(tool, terminal).forEach((line) => terminal.out(line));
    return terminal.out(`\n${paint('bold', 'Call it')}\n  ${exampleCall(tool, target)}`);
  }
  const entries = await connection.tools(options.toolset);
  if (terminal.json) return terminal.value(entries);
  terminal.table(
    entries.map((tool) => {
      const effect = effectOf(tool.annotations);
      const title = clip(printable(tool.title), Math.max(20, terminal.columns - 40));
      return [
        paint('cyan', printable(tool.name)),
        paint(effect === 'read' ? 'dim' : 'yellow', effect),
        title,
      ];
    }),
  );
  terminal.note(`\n${plural(entries.length, 'tool')}. Show one with: ${commandName()} tools${target} NAME`);
}
