import { constants } from 'node:os';

/** What stops a command: aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** `128 + signal number` once a signal came: 130 for Ctrl-C, 143 for SIGTERM. */
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

/** Resolves once the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
