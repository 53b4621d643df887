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

/** Where the score of BM25 that follows the best three is below this part of the best, few candidates stand out. */
const EVEN = 0.4;
/** Of few candidates, the best fifth is as many. */
const BEST = 3;
const BEST_PART = 0.2;
/** What the semantic score keeps where only some candidates have any of the words: the order of the others. */
const KEPT = 0.1;

/**
 * How much of its share the semantic score keeps, 0 to 1: less where few candidates stand out by their words. They hold one
 * that hardly any has, a name mostly; an embedder that was trained on the same texts has seen it as seldom, and is sure of
 * others. ADR 92.
 */
function keptShare(keyword: readonly Candidate[], semantic: readonly Candidate[]): number {
  const scores = keyword.map(({ score }) => score).sort((a, b) => b - a);
  const [best = 0] = scores;
  if (best === 0) return 1;
  const following = Math.min(BEST, Math.ceil(BEST_PART * semantic.length));
  const evenness = Math.min(1, (scores[following] ?? 0) / best / EVEN);
  return KEPT + (1 - KEPT) * evenness ** 2;
}

/**
 * How near the embedder sees what a query asks for: the cosine of the nearest chunk where that is code, which it learned from
 * what people say of code. Of prose it learned pieces of the same texts, and is sure of others than those that have the words:
 * there it is the cosine of the best one by words. ADR 92. Best first.
 */
export function nearness(keyword: readonly Candidate[], semantic: readonly Candidate[]): number {
  const [nearest] = semantic;
  const [best] = keyword;
  if (!nearest) return 0;
  if (!best || nearest.kind === 'code') return nearest.score;
  // Beyond the last one where it is not among them.
  return (semantic.find(({ id }) => id === best.id) ?? semantic.at(-1) ?? nearest).score;
}

/** How two retrievers are fused. */
export interface Fusion {
  /** Weight of the semantic one, 0 to 1. */
  readonly share: number;
  /** What a candidate keeps of its fused score, 0 to 1. */
  readonly weightOf: (candidate: Candidate) => number;
}

const byScore = (a: Candidate, b: Candidate) => b.score - a.score;

/** What the best chunk of a document gains of the scores of its next ones, and of how many. ADR 98. */
const SUPPORT = 0.15;
const MAX_SUPPORTING = 3;
/** The least score that supports, as a part of the best of all: a long document has many chunks that say little of a query. */
const SUPPORTING = 0.8;

/** Raises the best chunk of each document: one that is about a query says so in several places. `ranked`: best first. */
function supported(ranked: readonly Candidate[]): Candidate[] {
  const least = SUPPORTING * (ranked[0]?.score ?? 0);
  const ofDocument = new Map<string, Candidate[]>();
  for (const candidate of ranked) {
    const chunks = ofDocument.get(candidate.doc_id);
    if (chunks) chunks.push(candidate);
    else ofDocument.set(candidate.doc_id, [candidate]);
  }
  return ranked.map((candidate) => {
    const chunks = ofDocument.get(candidate.doc_id) ?? [];
    if (chunks[0] !== candidate) return candidate;
    const supporting = chunks.slice(1, 1 + MAX_SUPPORTING).filter(({ score }) => score >= least);
    const more = supporting.reduce((sum, { score }) => sum + score, 0);
    return { ...candidate, score: candidate.score + SUPPORT * more };
  });
}

/** The candidates of two retrievers, with the weighed score of each, best first; that of a few can exceed 1. */
function fuseCandidates(
  keyword: readonly Candidate[],
  semantic: readonly Candidate[],
  { share, weightOf }: Fusion,
): Candidate[] {
  const byId = new Map([...semantic, ...keyword].map((candidate) => [candidate.id, candidate]));
  const scores = (found: readonly Candidate[]) => new Map(found.map(({ id, score }) => [id, score]));
  const weighed = fuse(scores(keyword), scores(semantic), share).flatMap(({ id, ...all }) => {
    const candidate = byId.get(id);
    return candidate ? [{ ...candidate, score: all.fused * weightOf(candidate), scores: all }] : [];
  });
  return supported(weighed.sort(byScore)).sort(byScore);
}

/**
 * Fuses the best `size` of each retriever, then twice as many, and so on: those that a larger pool adds come after all of
 * the smaller one, with no higher score. So the order does not depend on how many were retrieved, and a page begins where
 * the one before ended.
 */
export function fuseInPools(
  keyword: readonly Candidate[],
  semantic: readonly Candidate[],
  { share, weightOf }: Fusion,
  size: number,
): Candidate[] {
  const ranked = new Map<string, Candidate>();
  const fusion = { share: share * keptShare(keyword, semantic), weightOf };
  let most = Infinity;
  let scale: number | undefined;
  for (let end = size; ; end *= 2) {
    const best = keyword.filter(({ holdsRequired }, at) => at < end || holdsRequired === true);
    const fused = fuseCandidates(best, semantic.slice(0, end), fusion);
    scale ??= Math.max(1, fused[0]?.score ?? 0); // of the first pool, so that it does not depend on the others
    for (const candidate of fused) {
      if (ranked.has(candidate.id)) continue;
      ranked.set(candidate.id, { ...candidate, score: Math.min(most, candidate.score / scale) });
    }
    if (end >= Math.max(keyword.length, semantic.length)) return [...ranked.values()];
    most = [...ranked.values()].at(-1)?.score ?? most;
  }
}

/** The least of those pools with so many candidates. */
export function poolOf(count: number, size: number): number {
  return size * 2 ** Math.max(0, Math.ceil(Math.log2(count / size)));
}
