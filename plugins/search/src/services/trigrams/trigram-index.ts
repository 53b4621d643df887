import type { IndexDocument, IndexSource } from '../../contract.js';
import { isMostlyOld, livingAmong, mergeSegments, segmentsToMerge } from './merge.js';
import { candidatesOf, type TrigramPlan } from './plan.js';
import { addTrigrams, bitsFor, eachHash, eachOrdinal, encodeRows, Pairs, rowOf } from './segment.js';
import { keyOf, type Segment, type SegmentStore } from './segment-store.js';

/** About so many bytes a pair of trigram and document takes in a row. */
const PAIR_BYTES = 1.5;

/**
 * Finds the documents that an expression can match. Every write adds an immutable segment, and maintenance merges them.
 * Entries of changed and deleted documents stay until then: a candidate is compared with its current text, so that
 * there may be too many candidates and never too few.
 */
export class TrigramIndex {
  readonly #store: SegmentStore;
  readonly #sources: readonly IndexSource[];

  constructor(store: SegmentStore, sources: readonly IndexSource[]) {
    this.#store = store;
    this.#sources = sources;
  }

  /** Adds documents. To be called before they count as indexed; those that wait are searched without the index. */
  async add(workspaceId: string, documents: readonly IndexDocument[]): Promise<void> {
    const living = documents.filter(({ removed }) => !removed);
    if (living.length === 0) return;
    const pairs = new Pairs();
    for (const [ordinal, { text }] of living.entries()) addTrigrams(text, ordinal, pairs);
    const sorted = pairs.sorted();
    const bits = bitsFor(sorted.length * PAIR_BYTES);
    const ids = living.map(({ id }) => id);
    await this.#store.write(workspaceId, { documents: ids, bits }, [encodeRows(sorted, bits)]);
  }

  /** Ids of the documents that a plan cannot rule out, and of some that are gone. */
  async candidates(workspaceId: string, plan: TrigramPlan): Promise<Set<string>> {
    const hashes = new Set(plan.hashes);
    const segments = await this.#store.list(workspaceId);
    const wanted = segments.map(({ bits }) => [...new Set(plan.hashes.map((hash) => rowOf(hash, bits)))]);
    const rows = await this.#store.rows(
      segments.flatMap((segment, at) => (wanted[at] ?? []).map((number) => [segment, number] as const)),
    );
    const found = new Set<string>();
    for (const [at, segment] of segments.entries()) {
      const postings = new Map<number, Uint32Array>();
      for (const number of wanted[at] ?? []) {
        const row = rows.get(keyOf(segment, number));
        if (row) readPostings(row, segment, hashes, postings);
      }
      const ordinals = candidatesOf(plan, segment.documents, (hash) => postings.get(hash) ?? NONE);
      const ids = ordinals.length > 0 ? await this.#store.documentIds(segment) : [];
      for (const ordinal of ordinals) found.add(ids[ordinal] ?? '');
    }
    return found;
  }

  /**
   * Merges segments where there are many, and deletes those that were merged before. Needs the lease on the index. Returns
   * when others can be deleted (RFC 3339), or an empty text.
   */
  async maintain(workspaceId: string): Promise<string> {
    await this.#store.sweep(workspaceId);
    for (;;) {
      const segments = await this.#store.list(workspaceId);
      const some = segmentsToMerge(segments, await this.#countLiving(workspaceId, segments));
      if (some.length === 0) return this.#store.nextExpiry(workspaceId);
      await mergeSegments(this.#store, this.#sources, workspaceId, some);
    }
  }

  /** How many documents with entries there are now; where it does not matter, at least the indexed ones. */
  async #countLiving(workspaceId: string, segments: readonly Segment[]): Promise<number> {
    let indexed = 0;
    for (const source of this.#sources) indexed += await source.indexedTotal(workspaceId);
    if (!isMostlyOld(segments, indexed)) return indexed;
    const ids = await Promise.all(segments.map((segment) => this.#store.documentIds(segment)));
    return (await livingAmong(this.#sources, new Set(ids.flat()))).size; // the waiting ones too
  }
}

const NONE = new Uint32Array(0);

/** Adds the documents of wanted hashes in a row, as bits. */
function readPostings(
  row: Buffer,
  segment: Segment,
  wanted: ReadonlySet<number>,
  postings: Map<number, Uint32Array>,
): void {
  eachHash(row, (hash, from, to) => {
    if (!wanted.has(hash)) return;
    const bits = new Uint32Array(Math.ceil(segment.documents / 32));
    eachOrdinal(row, from, to, (ordinal) => {
      bits[ordinal >>> 5] = (bits[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    });
    postings.set(hash, bits);
  });
}
