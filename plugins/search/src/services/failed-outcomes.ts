import type { DocumentOutcome } from '../contract.js';

export const NOT_WRITABLE =
  'The folder of the index takes no writes: is its disk full, or read-only? It is tried again.';
export const NOT_WRITTEN = 'The index could not be written; it is tried again.';
export const REBUILT = 'The index was rebuilt meanwhile; it is tried again.';

/** The outcomes of documents that are tried again. */
export function failed(outcomes: readonly DocumentOutcome[], error: string): DocumentOutcome[] {
  return outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error }));
}
