import type { ParseLimits, Source, Structure } from './contract.js';

/** The result of {@link parseInThread}. */
export interface ParsedInThread {
  readonly structure: Structure;
  /** Time ran out: another parse of the same text may give more. */
  readonly expired: boolean;
  /** The parser took more steps than the length of the text allows: the structure is empty, and no other parse gives more. */
  readonly complex: boolean;
  /** The thread must be replaced before the next text: time ran out, or its memory is large. */
  readonly spent: boolean;
}

/**
 * Parses in the calling thread, which must be a worker thread: hostile source can exhaust or crash it. For a consumer
 * that has the text in a thread of its own; all others call `Syntax.parse`. Rejects when the parser crashes; the thread
 * must be replaced then, too.
 */
export async function parseInThread(source: Source, limits: ParseLimits): Promise<ParsedInThread> {
  const { parseText } = await import('./worker/parse-text.js');
  return parseText(source, limits);
}
