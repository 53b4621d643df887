import { systemCode } from '@service-mcp/core/wire';
import { CommanderError } from 'commander';
import { ownWords } from './commands/call.js';
import { commandName } from './command-name.js';
import { EXIT, Failure, fromLines, reasonOf } from './failure.js';
import { watchInterrupts } from './invocation.js';
import { createProgram, withKnownHelp } from './program.js';
import { printable, printableLines } from './terminal/format.js';
import { openTerminal, watchOutput, type Terminal } from './terminal/terminal.js';

/**
 * Runs one command line (without `node` and the script) and resolves to its exit code: 0 done, 1 failed,
 * 2 the service is out of reach, 130 or 143 interrupted. Writes to this process's stdout and stderr; never throws.
 */
export async function run(argv: readonly string[]): Promise<number> {
  watchOutput();
  const terminal = openTerminal(ownWords(argv).includes('--json'));
  const interrupt = watchInterrupts();
  let usage = '';
  try {
    const program = createProgram({ terminal, signal: interrupt.signal }, (text) => (usage += text));
    await program.parseAsync(withKnownHelp(program, argv), { from: 'user' });
    // A command that ends by a signal (serve) sets its own code.
    return Number(process.exitCode ?? interrupt.exitCode() ?? EXIT.ok);
  } catch (thrown) {
    // Commander has already written its own message for people.
    if (thrown instanceof CommanderError)
      return terminal.json && thrown.exitCode !== EXIT.ok
        ? report(terminal, usageFailure(thrown, usage))
        : thrown.exitCode;
    const interrupted = interrupt.exitCode();
    if (interrupted === undefined) return report(terminal, thrown);
    terminal.note(thrown instanceof Failure ? printable(thrown.line) : 'Stopped.');
    return interrupted;
  } finally {
    interrupt.release();
  }
}

/** Prints a failure on stderr and returns its exit code. What a server wrote in it does not control the terminal. */
function report({ json, shade, write }: Terminal, thrown: unknown): number {
  const { message, code, next, issues, exit } = thrown instanceof Failure ? thrown : unexpected(thrown);
  if (json) {
    const error = { code, message, next, issues: issues.length > 0 ? issues : undefined };
    process.stderr.write(`${JSON.stringify({ error })}\n`);
    return exit;
  }
  // A message names the first issue, and so all of it where there is one.
  const listed = issues.length > 1 ? issues : [];
  const fault = listed.length > 0 ? 'Some arguments are wrong:' : printableLines(message);
  write(`${shade('red', code === undefined ? 'error' : `error ${printable(code)}`)} ${fault}`);
  for (const issue of listed) {
    const { path } = issue;
    write(
      `  ${shade('bold', path === '' ? '(arguments)' : printable(path))} ${printableLines(issue.message)}`,
    );
  }
  if (next !== undefined) write(`${shade('cyan', '→')} ${printableLines(next)}`);
  return exit;
}

/** A usage error: what is wrong, then the suggestion of a name and the help of the command, as people read them. */
function usageFailure({ message, exitCode: exit }: CommanderError, usage: string): Failure {
  const [fault = '', hint] = message.replace(/^error: /, '').split(/\n/);
  if (fault === '(outputHelp)')
    return new Failure('A command is missing.', { exit, next: `Run ${commandName()} help` });
  // The nearest name to `status` is setup.
  const suggestion = /^unknown command '(?:status|health|check)'$/.test(fault)
    ? 'Did you mean doctor?'
    : hint?.replace(/^\((.*)\)$/, '$1');
  const help = /^Run .*--help.*$/m.exec(usage)?.[0];
  return new Failure(fault, { exit, next: [suggestion, help].filter(Boolean).join(' ') || undefined });
}

/** BootError of core says place, fault and remedy itself; anything else is a defect and shows its place. */
function unexpected(thrown: unknown): Failure {
  if (!(thrown instanceof Error) || thrown.name === 'BootError') return fromLines(thrown);
  const code = systemCode(thrown);
  if (code !== undefined && 'syscall' in thrown && !process.env['SERVICE_DEBUG']) {
    const place = 'path' in thrown ? String(thrown.path) : `The system call ${String(thrown.syscall)}`;
    return new Failure(`${place} failed: ${reasonOf(thrown)}.`, {
      next: 'Fix that, or choose another place. SERVICE_DEBUG=1 shows where it failed.',
    });
  }
  if (process.env['SERVICE_DEBUG']) return new Failure(`${thrown.message}\n${thrown.stack}`);
  const next = 'Run it again with SERVICE_DEBUG=1 to see where it failed.';
  return new Failure(thrown.message, { next });
}
