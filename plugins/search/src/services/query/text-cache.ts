import { LRUCache } from 'lru-cache';
import type { DocumentState, IndexSource } from '../../contract.js';
import { CurrentStates, currentTexts } from './current-states.js';

/** UTF-16 code units of all texts: a byte each, for most source code. */
const MAX_UNITS = 48 * 1024 * 1024;
/** A longer text is read for each search. */
const MAX_TEXT = 256 * 1024;

/** A document by its state: `sha256` names its text. */
export interface Stated {
  readonly doc_id: string;
  readonly kind: string;
  readonly state: Pick<DocumentState, 'sha256'>;
}

/**
 * The texts of documents that patterns were matched with last, which stay in memory as those of grep do: a source unpacks a
 * text for longer than a pattern is matched with it. A document whose text has changed is read again.
 */
export class TextCache {
  readonly #sources: readonly IndexSource[];
  readonly #texts = new LRUCache<string, string>({
    maxSize: MAX_UNITS,
    maxEntrySize: MAX_TEXT,
    sizeCalculation: (text) => text.length + 100,
  });

  constructor(sources: readonly IndexSource[]) {
    this.#sources = sources;
  }

  /** By the id of the document; that of a deleted one is absent. */
  async read(documents: readonly Stated[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    const missing: Stated[] = [];
    for (const document of documents) {
      const known = this.#texts.get(keyOf(document));
      if (known === undefined) missing.push(document);
      else texts.set(document.doc_id, known);
    }
    if (missing.length === 0) return texts;
    const read = await currentTexts(this.#sources, missing);
    const states = await new CurrentStates(this.#sources).of(missing); // a text that changed after its state is not that of its hash
    for (const document of missing) {
      const text = read.get(document.doc_id);
      if (text === undefined) continue;
      texts.set(document.doc_id, text);
      if (states.get(document.doc_id)?.sha256 === document.state.sha256)
        this.#texts.set(keyOf(document), text);
    }
    return texts;
  }
}

/** Not by the hash alone: how fast an answer comes must not tell what is in another workspace. */
function keyOf({ doc_id, state: { sha256 } }: Stated): string {
  return `${doc_id} ${sha256}`;
}
