import type { Command } from 'commander';
import { commandName } from './command.js';

/** Ends each usage error with what there is and where help is, for a command and those below it. */
export function addHints(command: Command, path = commandName()): void {
  const names = command.commands.map((each) => each.name());
  const commands = names.length > 0 ? `Commands: ${names.join(', ')}.\n` : '';
  command.showHelpAfterError(`${commands}Run ${path} --help to see what it takes.`);
  for (const each of command.commands) addHints(each, `${path} ${each.name()}`);
}

/**
 * The command line to parse in place of one that asks for help. On a command that does not exist: the words up to that
 * name, so that it is refused like any other, and not answered with the help of what is above it. `help keys create`
 * becomes `keys create --help`. Any other is left as it is.
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
