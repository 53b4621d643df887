import type { Candidate } from './retrievers.js';

/** The scores of one retriever, by candidate id. */
export type Scores = ReadonlyMap<string, number>;

export interface Fused {
  readonly id: string;
  readonly fused: number;
  readonly keyword?: number;
  readonly semantic?: number;
}

/**
 * Fuses two retrievers by a convex sum of min-max scores (Bruch, Gai and Ingber, "An analysis of fusion functions for
 * hybrid retrieval", TOIS 2023). `share` is the weight of the semantic one, 0 to 1. A candidate that one of
 * them misses scores 0 there. Best first; equal scores in order of id.
 */
export function fuse(keyword: Scores, semantic: Scores, share: number): Fused[] {
  const byKeyword = scale(keyword, 0);
  const bySemantic = scale(semantic, undefined);
  return [...new Set([...keyword.keys(), ...semantic.keys()])]
    .map((id) => {
      const k = keyword.get(id);
      const s = semantic.get(id);
      const fused = (1 - share) * byKeyword(k) + share * bySemantic(s);
      return { id, fused, ...(k !== undefined && { keyword: k }), ...(s !== undefined && { semantic: s }) };
    })
    .sort((a, b) => b.fused - a.fused || (a.id < b.id ? -1 : 1));
}

/** The least score is 0 for BM25, and that of the weakest candidate for a cosine. */
function scale(scores: Scores, floor: number | undefined): (score: number | undefined) => number {
  let most = -Infinity;
  let least = floor ?? Infinity;
  for (const score of scores.values()) {
    most = Math.max(most, score);
    least = Math.min(least, score);
  }
  return (score) => {
    if (score === undefined) return 0;
    return most > least ? (score - least) / (most - least) : 1;
  };
}

/** The candidates of two retrievers, with the fused score of each. */
export function fuseCandidates(
  keyword: readonly Candidate[],
  semantic: readonly Candidate[],
  share: number,
): Candidate[] {
  const byId = new Map([...semantic, ...keyword].map((candidate) => [candidate.id, candidate]));
  const scores = (found: readonly Candidate[]) => new Map(found.map(({ id, score }) => [id, score]));
  return fuse(scores(keyword), scores(semantic), share).flatMap(({ id, ...all }) => {
    const candidate = byId.get(id);
    return candidate ? [{ ...candidate, score: all.fused, scores: all }] : [];
  });
}
