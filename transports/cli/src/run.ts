import { CommanderError } from 'commander';
import { EXIT, Failure } from './failure.js';
import { watchInterrupts } from './interrupt.js';
import { createProgram } from './program.js';
import { fold } from './terminal/format.js';
import { openTerminal, quietBrokenPipes, type Terminal } from './terminal/terminal.js';
import { withKnownHelp } from './usage.js';

/**
 * Runs one command line (without `node` and the script) and resolves to its exit code: 0 done, 1 failed,
 * 2 the service is out of reach, 130 or 143 interrupted. Writes to this process's stdout and stderr; never throws.
 */
export async function run(argv: readonly string[]): Promise<number> {
  quietBrokenPipes();
  const terminal = openTerminal(argv.includes('--json'));
  const interrupt = watchInterrupts();
  try {
    const program = createProgram({ terminal, signal: interrupt.signal });
    await program.parseAsync(withKnownHelp(program, argv), { from: 'user' });
    // A command that ends by being stopped (serve) sets its own code.
    return Number(process.exitCode ?? interrupt.exitCode() ?? EXIT.ok);
  } catch (thrown) {
    // Commander has written its own message already.
    if (thrown instanceof CommanderError) return thrown.exitCode;
    const interrupted = interrupt.exitCode();
    if (interrupted !== undefined) {
      terminal.say(terminal.shade('dim', thrown instanceof Failure ? thrown.message : 'Stopped.'));
      return interrupted;
    }
    return report(terminal, thrown);
  } finally {
    interrupt.release();
  }
}

/** Prints a failure on stderr and gives its exit code. */
function report(terminal: Terminal, thrown: unknown): number {
  const failure = thrown instanceof Failure ? thrown : unexpected(thrown);
  if (terminal.json) {
    const { message, code, next, issues } = failure;
    const error = {
      ...(code && { code }),
      message,
      ...(next && { next }),
      ...(issues.length > 0 && { issues }),
    };
    process.stderr.write(`${JSON.stringify({ error })}\n`);
    return failure.exit;
  }
  const label = failure.code === undefined ? 'error' : `error ${failure.code}`;
  const write = (line: string) => void process.stderr.write(`${fold(line, terminal.errorColumns)}\n`);
  write(`${terminal.shade('red', label)} ${failure.message}`);
  // The message of a single issue is the message itself.
  const issues = failure.issues.length > 1 ? failure.issues : [];
  for (const { path, message } of issues) {
    write(`  ${terminal.shade('bold', path === '' ? '(arguments)' : path)} ${message}`);
  }
  if (failure.next !== undefined) write(`${terminal.shade('cyan', '→')} ${failure.next}`);
  return failure.exit;
}

/** BootError of core says place, fault and remedy itself; anything else is a defect and shows where. */
function unexpected(thrown: unknown): Failure {
  if (thrown instanceof Error && thrown.name === 'BootError') {
    const [message = '', ...remedy] = thrown.message.split('\n');
    return new Failure(message, { next: remedy.map((line) => line.trim()).join(' ') || undefined });
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = process.env['SERVICE_DEBUG'] && thrown instanceof Error ? `\n${thrown.stack}` : '';
  return new Failure(`${text}${stack}`, {
    next: stack ? undefined : 'Run it again with SERVICE_DEBUG=1 to see where it failed.',
  });
}
