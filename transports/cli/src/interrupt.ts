import { constants } from 'node:os';
import type { Invocation } from './invocation.js';

/** Stops a command: the first SIGINT or SIGTERM aborts the signal, a second one ends the process at once. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** `128 + signal number` after a signal: 130 for Ctrl-C, 143 for SIGTERM. */
  exitCode(): number | undefined;
  release(): void;
}

export function watchInterrupts(): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = 128 + constants.signals[name];
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    exitCode: () => code,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** Runs a started server until the signal: announces it, waits, and stops it. A stop by signal is not a failure. */
export async function serveUntilStopped(
  server: { stop(): Promise<void> },
  { signal, terminal }: Invocation,
  announce: () => Promise<void> | void,
): Promise<void> {
  try {
    await announce();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    terminal.note('Stopping. Press Ctrl-C again to stop at once.');
  } finally {
    await server.stop();
  }
  process.exitCode = 0;
}
