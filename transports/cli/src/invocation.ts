import { createRequire } from 'node:module';
import type { Terminal } from './terminal/terminal.js';

/** What every command gets: where to write, and what stops it. */
export interface Invocation {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The package's version, the one that `--version` tells. */
export function version(): string {
  const { version: text } = createRequire(import.meta.url)('../package.json') as { version: string };
  return text;
}
