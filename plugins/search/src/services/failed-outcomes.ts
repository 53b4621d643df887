import type { DocumentOutcome } from '../contract.js';

export const NOT_WRITABLE =
  'The folder of the index takes no writes: is its disk full, or read-only? It is tried again.';
export const NOT_WRITTEN = 'The index could not be written; it is tried again.';
export const NOT_FINDABLE = 'The text index could not be updated; it is tried again.';
export const REBUILT = 'The index was rebuilt meanwhile; it is tried again.';

/** How often what is not the fault of the documents is tried again. */
export const RETRY_MS = 2000;

/** The outcomes of documents that are tried again; with `retryAfterMs`, as often as it takes. */
export function failed(
  outcomes: readonly DocumentOutcome[],
  error: string,
  more: { readonly retryAfterMs?: number } = {},
): DocumentOutcome[] {
  return outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error, ...more }));
}
