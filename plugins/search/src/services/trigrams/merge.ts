import type { IndexSource } from '../../contract.js';
import { bitsFor, eachHash, eachOrdinal, encodeRows, ORDINALS, Pairs } from './segment.js';
import type { Segment, SegmentStore } from './segment-store.js';

/** Segments of one tier that are merged: each tier holds segments of up to four times the documents of the one before. */
const FAN_OUT = 4;
/** Documents of a merged segment: a merge of that many takes some two seconds. */
const MAX_DOCUMENTS = 32_768;
/** Entries a document, beyond some, from which on all segments are merged. */
const MAX_ENTRIES = 2;
const FEW_ENTRIES = 256;

/** Are most entries of earlier texts, or of deleted documents? */
export function isMostlyOld(segments: readonly Segment[], living: number): boolean {
  const entries = segments.reduce((sum, { documents }) => sum + documents, 0);
  return entries > MAX_ENTRIES * living + FEW_ENTRIES;
}

/** The segments to merge into one, none if the index is in order; `living` is how many of their documents there are. */
export function segmentsToMerge(segments: readonly Segment[], living: number): readonly Segment[] {
  const fitting = (some: readonly Segment[]) => {
    let documents = 0;
    const ascending = [...some].sort((a, b) => a.documents - b.documents);
    const fits = ascending.filter((segment) => (documents += segment.documents) <= MAX_DOCUMENTS);
    return fits.length > 1 ? fits : [];
  };
  if (isMostlyOld(segments, living)) return fitting(segments);
  const tiers = new Map<number, Segment[]>();
  for (const segment of segments) {
    const tier = Math.floor(Math.log2(segment.documents) / Math.log2(FAN_OUT));
    const same = tiers.get(tier);
    if (same) same.push(segment);
    else tiers.set(tier, [segment]);
  }
  for (const same of tiers.values()) {
    const some = same.length >= FAN_OUT ? fitting(same) : [];
    if (some.length > 0) return some;
  }
  return [];
}

/** Merges segments, a range of hashes at a time. Entries of one document become one, and those of deleted ones go. */
export async function mergeSegments(
  store: SegmentStore,
  sources: readonly IndexSource[],
  workspaceId: string,
  segments: readonly Segment[],
): Promise<void> {
  const ids = await Promise.all(segments.map((segment) => store.documentIds(segment)));
  const living = await livingAmong(sources, new Set(ids.flat()));
  const documents = [...living];
  const ordinals = new Map(documents.map((id, ordinal) => [id, ordinal]));
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  // A range is a row of the coarsest segment.
  const rangeBits = Math.min(...segments.map(({ bits }) => bits));
  const bits = Math.max(rangeBits, bitsFor(bytes));
  async function* rows() {
    for (let range = 0; range < 2 ** rangeBits; range++) {
      const pairs = new Pairs();
      for (const [at, segment] of segments.entries()) {
        const own = 2 ** (segment.bits - rangeBits);
        const wanted = Array.from({ length: own }, (_, row) => [segment, range * own + row] as const);
        for (const row of (await store.rows(wanted)).values()) {
          eachHash(row, (hash, from, to) => {
            eachOrdinal(row, from, to, (ordinal) => {
              const merged = ordinals.get(ids[at]?.[ordinal] ?? '');
              if (merged !== undefined) pairs.push(hash * ORDINALS + merged);
            });
          });
        }
      }
      yield encodeRows(pairs.sorted(), bits);
      // Calls run between ranges.
      await new Promise(setImmediate);
    }
  }
  await store.write(workspaceId, { documents, bits }, rows(), segments);
}

/** The documents among `ids` that there are now. */
export async function livingAmong(
  sources: readonly IndexSource[],
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const living = new Set<string>();
  const asked = [...ids];
  for (const source of sources) {
    const found = source.living ? await source.living(asked) : (await source.states(asked)).keys();
    for (const id of found) living.add(id);
  }
  return living;
}
