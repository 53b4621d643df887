import type { DocumentKind, DocumentState, IndexSource } from '../../contract.js';

/** Ids per query. */
const BATCH = 1000;

interface Named {
  readonly doc_id: string;
  readonly kind: DocumentKind;
}

/** The current states of documents, from their sources; a deleted one is absent. */
export function currentStates(
  sources: readonly IndexSource[],
  documents: Iterable<Named>,
): Promise<ReadonlyMap<string, DocumentState>> {
  return fromSources(sources, documents, (source, ids) => source.states(ids));
}

/** The current texts of documents, from their sources; that of a deleted one is absent. */
export function currentTexts(
  sources: readonly IndexSource[],
  documents: Iterable<Named>,
): Promise<ReadonlyMap<string, string>> {
  return fromSources(sources, documents, (source, ids) => source.texts(ids));
}

async function fromSources<Value>(
  sources: readonly IndexSource[],
  documents: Iterable<Named>,
  read: (source: IndexSource, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
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
      for (const [id, value] of await read(source, all.slice(at, at + BATCH))) values.set(id, value);
    }
  }
  return values;
}
