import { runCommand } from '../../command.js';
import { code, page } from './markdown.js';

/** The help of `service-mcp`, of each of its commands and of their subcommands, as they print it. */
export async function commandLinePage(): Promise<string> {
  const whole = await help();
  const names = commandsIn(whole);
  if (names.length === 0) throw new Error('service-mcp --help lists no commands');
  return page('Command line', block(whole), ...(await Promise.all(names.map((name) => section(name)))));
}

async function section(...command: readonly string[]): Promise<string> {
  const text = await help(...command);
  const below = await Promise.all(commandsIn(text).map((name) => section(...command, name)));
  const heading = `${'#'.repeat(command.length + 1)} ${code(`service-mcp ${command.join(' ')}`)}`;
  return [`${heading}\n\n${block(text)}`, ...below].join('\n\n');
}

function commandsIn(text: string): string[] {
  const listed = /\nCommands:\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

async function help(...command: readonly string[]): Promise<string> {
  const { code: exit, stdout, stderr } = await runCommand([...command, '--help']);
  if (exit !== 0) throw new Error(`service-mcp ${command.join(' ')} --help: ${stderr}`);
  return stdout;
}

function block(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return `\`\`\`text\n${lines.join('\n').trim()}\n\`\`\``;
}
