import { createRequire } from 'node:module';
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
