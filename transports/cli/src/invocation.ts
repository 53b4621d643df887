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

/**
 * The name to run the next command by: `npx service-mcp` where npm or npx started this one, since the folder of its
 * binaries is then only on npm's own path; else `service-mcp`.
 */
export function commandName(): string {
  const byNpm = ['npm_execpath', 'npm_lifecycle_event', 'npm_command'].some((name) => process.env[name]);
  return byNpm ? 'npx service-mcp' : 'service-mcp';
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

/** Runs a started server until the signal: announces it, waits, and stops it. A stop by signal is not a failure. */
export async function serveUntilStopped(
  server: { stop(): Promise<void> },
  { signal, terminal }: Invocation,
  announce: () => Promise<void> | void,
): Promise<void> {
  try {
    await announce();
    if (!signal.aborted) await once(signal, 'abort');
    terminal.note('Stopping. Press Ctrl-C again to stop at once.');
  } finally {
    await server.stop();
  }
  process.exitCode = 0;
}
