/** The score of each candidate of one leg, by id. */
export type Leg = ReadonlyMap<string, number>;

export interface Fused {
  readonly id: string;
  readonly fused: number;
  readonly keyword?: number;
  readonly semantic?: number;
}

/**
 * Joins two legs by a convex sum of min-max scores (Bruch, Gai and Ingber, "An analysis of fusion functions for
 * hybrid retrieval", TOIS 2023). `share` is the part of the semantic leg, 0 to 1. A candidate that one leg misses
 * has 0 there and stays. Best first; equal scores in order of id.
 */
export function fuse(keyword: Leg, semantic: Leg, share: number): Fused[] {
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

/** BM25 has a natural least score, 0; a cosine's is that of the weakest candidate. */
function scale(leg: Leg, floor: number | undefined): (score: number | undefined) => number {
  let most = -Infinity;
  let least = floor ?? Infinity;
  for (const score of leg.values()) {
    most = Math.max(most, score);
    least = Math.min(least, score);
  }
  return (score) => {
    if (score === undefined) return 0;
    return most > least ? (score - least) / (most - least) : 1;
  };
}
