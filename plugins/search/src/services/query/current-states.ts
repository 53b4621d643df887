import type { DocumentKind, DocumentState, IndexSource } from '../../contract.js';

/** Ids per query. */
const BATCH = 1000;

interface Named {
  readonly doc_id: string;
  readonly kind: DocumentKind;
}

/** The current states of the documents that a search meets, from their sources. Each is read once, when it is needed. */
export class CurrentStates {
  readonly #sources: readonly IndexSource[];
  readonly #states = new Map<string, DocumentState>();
  readonly #living = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(sources: readonly IndexSource[]) {
    this.#sources = sources;
  }

  /** The ids of all so far that are not deleted. */
  async living(documents: readonly Named[]): Promise<ReadonlySet<string>> {
    const fresh = documents.filter(({ doc_id }) => !this.#asked.has(doc_id));
    for (const { doc_id } of fresh) this.#asked.add(doc_id);
    const found = await fromSources(this.#sources, fresh, async (source, ids) => {
      if (source.living) return new Map([...(await source.living(ids))].map((id) => [id, undefined]));
      const states = await source.states(ids);
      for (const [id, state] of states) this.#states.set(id, state);
      return states;
    });
    for (const id of found.keys()) this.#living.add(id);
    return this.#living;
  }

  /** The number of chunks of a document, where its state was read and has one. */
  chunksOf(id: string): number | undefined {
    return this.#states.get(id)?.chunks;
  }

  /** The states of documents; that of a deleted one is absent. */
  async of(documents: readonly Named[]): Promise<ReadonlyMap<string, DocumentState>> {
    const missing = documents.filter(({ doc_id }) => !this.#states.has(doc_id));
    const read = await fromSources(this.#sources, missing, (source, ids) => source.states(ids));
    for (const [id, state] of read) this.#states.set(id, state);
    return this.#states;
  }
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
