import { runCommand } from '../../command.js';
import { code, page } from './markdown.js';

/** The help of `service-mcp` and of each of its commands, as it prints them. */
export async function commandLinePage(): Promise<string> {
  const whole = await help();
  const listed = /\nCommands:\n([\s\S]*?)\n\n/.exec(whole)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  const commands = names.filter((name) => name !== 'help');
  if (commands.length === 0) throw new Error('service-mcp --help lists no commands');
  const pages = await Promise.all(commands.map((name) => help(name)));
  const sections = pages.map((text, i) => `## ${code(`service-mcp ${commands[i] ?? ''}`)}\n\n${block(text)}`);
  return page('Command line', block(whole), ...sections);
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
