import type { Candidate } from './retrievers.js';

/** What the mean of its document counts beside the score of a chunk. ADR 110. */
const DOCUMENT = 0.3;

/**
 * Weighs each of the best `size` chunks by the mean score of the chunks of its document too, those that are not among the
 * best counted as 0: of many chunks the best one scores high by chance. `chunksOf`: how many a document has; where that is
 * not known, its chunks keep their scores. Best first; the chunks behind those of `size` follow with no higher score.
 */
export function withDocumentMeans(
  ranked: readonly Candidate[],
  size: number,
  chunksOf: (documentId: string) => number | undefined,
): Candidate[] {
  const found = new Map<string, { count: number; sum: number }>();
  const head = ranked.slice(0, size);
  for (const { doc_id, score } of head) {
    const { count, sum } = found.get(doc_id) ?? { count: 0, sum: 0 };
    found.set(doc_id, { count: count + 1, sum: sum + score });
  }
  const weighed = head.map((candidate) => {
    const all = chunksOf(candidate.doc_id);
    const own = found.get(candidate.doc_id);
    if (all === undefined || !own || (all <= 1 && own.count === 1)) return candidate;
    const mean = own.sum / Math.max(own.count, all); // the index may be ahead
    return { ...candidate, score: (candidate.score + DOCUMENT * mean) / (1 + DOCUMENT) };
  });
  weighed.sort((a, b) => b.score - a.score);
  const least = weighed.at(-1)?.score ?? Infinity;
  const rest = ranked.slice(size).map((one) => ({ ...one, score: Math.min(least, one.score) }));
  return [...weighed, ...rest];
}
