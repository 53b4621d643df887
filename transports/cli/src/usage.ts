import type { Command } from 'commander';
import { commandName } from './command-name.js';

/** Adds the known commands and a pointer to the help to usage errors, for a command and its subcommands. */
export function addHints(command: Command, path = commandName()): void {
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
