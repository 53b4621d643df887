import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import type { Terminal } from './terminal/terminal.js';

/** The terminal and the signal of a command. */
export interface Invocation {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The package's version, as `--version` prints it. */
export function version(): string {
  const { version: text } = createRequire(import.meta.url)('../package.json') as { version: string };
  return text;
}

/** Stops a command: the first SIGINT or SIGTERM aborts the signal, a second one ends the process at once. */
export function watchInterrupts(): {
  readonly signal: AbortSignal;
  /** `128 + signal number` after a signal: 130 for Ctrl-C, 143 for SIGTERM. */
  readonly exitCode: () => number | undefined;
  readonly release: () => void;
} {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = 128 + constants.signals[name];
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    release: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}

/** Resolves when the process that started this one asks it to end, or has died. */
export async function parentGone(): Promise<void> {
  if (process.connected) await once(process, 'disconnect');
}

/** A stop may take so long. Then the process ends as it is: no acknowledged data is lost by that. */
const STOP_LIMIT_MS = 9_000;

/**
 * Runs a started server until the signal, or until `ended` resolves: announces it, waits, and stops it. A stop by signal is
 * not a failure.
 */
export async function serveUntilStopped(
  server: { stop(): Promise<void> },
  { signal, terminal }: Invocation,
  announce: () => Promise<void> | void,
  ended?: Promise<unknown>,
): Promise<void> {
  try {
    await announce();
    const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    await Promise.race(ended ? [aborted, ended] : [aborted]);
    if (signal.aborted) terminal.note('Stopping. Press Ctrl-C again to stop at once.');
  } finally {
    const late = setTimeout(() => {
      terminal.warn('The stop takes too long; the process ends without waiting for the rest.');
      process.exit(0);
    }, STOP_LIMIT_MS).unref();
    await server.stop();
    clearTimeout(late);
  }
  process.exitCode = 0;
}
