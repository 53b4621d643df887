import type { DocumentKind, DocumentState, IndexSource } from '../../contract.js';

/** Ids per query. */
const BATCH = 1000;

/** The current states of documents, from their sources; a deleted one is absent. */
export async function currentStates(
  sources: readonly IndexSource[],
  documents: Iterable<{ readonly doc_id: string; readonly kind: DocumentKind }>,
): Promise<ReadonlyMap<string, DocumentState>> {
  const states = new Map<string, DocumentState>();
  const ids = new Map<IndexSource, Set<string>>();
  for (const { doc_id, kind } of documents) {
    // Several sources may yield a kind; each knows its own documents.
    for (const source of sources.filter(({ kinds }) => kinds.includes(kind))) {
      const some = ids.get(source);
      if (some) some.add(doc_id);
      else ids.set(source, new Set([doc_id]));
    }
  }
  for (const [source, wanted] of ids) {
    const all = [...wanted];
    for (let at = 0; at < all.length; at += BATCH) {
      for (const [id, state] of await source.states(all.slice(at, at + BATCH))) states.set(id, state);
    }
  }
  return states;
}
