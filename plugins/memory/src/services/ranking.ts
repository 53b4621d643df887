import type { Row, Scored } from './ranked-row.js';
import { validityAt, type Validity } from './validity.js';

/** An event in its session; in order. */
export interface Placed {
  readonly id: string;
  readonly session: string;
}

/** What the neighbours of a turn and its session add to its own score: by measurement, see the ADR. */
const NEIGHBOUR = 0.3;
const SECOND_NEIGHBOUR = 0.2;
const SESSION = 0.2;

/**
 * Ranks what belongs to a session by its context too: what answers a question is often said next to what repeats its
 * words. A turn has the mean of its fused score and its keyword score, as an embedder that was trained on adjacent turns
 * knows the context already; it gains the squares of the scores of its neighbours and of the best of its session, as
 * only a good hit says something of what is next to it. What belongs to no session is one of its own, so that it does not
 * come after as good an event. Scores are scaled to at most 1.
 */
export function withContext(
  scores: ReadonlyMap<string, Scored>,
  places: readonly Placed[],
): Map<string, Scored> {
  if (places.length === 0) return new Map(scores);
  const bestKeyword = Math.max(0, ...[...scores.values()].map(({ parts }) => parts.keyword ?? 0));
  const own = places.map(({ id }) => {
    const { score = 0, parts = {} } = scores.get(id) ?? {};
    return bestKeyword === 0 ? score : (score + (parts.keyword ?? 0) / bestKeyword) / 2;
  });
  const best = new Map<string, number>();
  for (const [at, { session }] of places.entries())
    best.set(session, Math.max(best.get(session) ?? 0, own[at] ?? 0));
  const ranked = new Map(
    [...scores].map(([id, { score, parts }]) => [id, { score: score + SESSION * score ** 2, parts }]),
  );
  for (const [at, { id, session }] of places.entries()) {
    const near = (distance: number) =>
      places[at + distance]?.session === session ? (own[at + distance] ?? 0) ** 2 : 0;
    const score =
      (own[at] ?? 0) +
      NEIGHBOUR * (near(-1) + near(1)) +
      SECOND_NEIGHBOUR * (near(-2) + near(2)) +
      SESSION * (best.get(session) ?? 0) ** 2;
    if (score > 0) ranked.set(id, { score, parts: scores.get(id)?.parts ?? {} });
  }
  const most = Math.max(1, ...[...ranked.values()].map(({ score }) => score));
  return new Map([...ranked].map(([id, { score, parts }]) => [id, { score: score / most, parts }]));
}

/** Raises records to the scores of their words, where the index does not have their texts. */
export function addByWords(scores: Map<string, Scored>, byWords: ReadonlyMap<string, number>): void {
  const keyword = Math.max(1, ...[...scores.values()].map(({ parts }) => parts.keyword ?? 0));
  for (const [id, score] of byWords)
    if (score > (scores.get(id)?.score ?? 0)) scores.set(id, { score, parts: { keyword: score * keyword } });
}

export function bestOf(scores: ReadonlyMap<string, Scored>, count: number): Map<string, Scored> {
  return new Map([...scores].sort(([, a], [, b]) => b.score - a.score).slice(0, count));
}

/** A record with less of the best score is not an answer: every text is a little near to any. By measurement, see ADR 106. */
const NOISE = 0.05;

/** Records, best first, without those far below the best; those that were found by their words alone have no such score. */
export function withoutNoise<Hit extends Scored>(hits: readonly Hit[]): Hit[] {
  const least = NOISE * (hits[0]?.score ?? 0);
  const isByWords = ({ parts }: Scored) => parts.keyword !== undefined && parts.fused === undefined;
  return hits.filter((hit) => hit.score >= least || isByWords(hit));
}

const OF_PERIOD = 1.25;

/** What the score of a record gains that is of the time which a query names beside its subject. */
export function withPeriod(score: number): number {
  return score * OF_PERIOD;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A record of so many days ago counts for half of what newness gives. */
const HALF_LIFE_DAYS = 30;
const RECENCY = 0.1;
const IMPORTANCE: Readonly<Record<string, number>> = { low: -0.05, medium: 0, high: 0.05, critical: 0.1 };

/** The score times at most 1.2 and at least 0.95, by age and importance. */
export function withRecency(
  score: number,
  { at, importance }: Pick<Row, 'at' | 'importance'>,
  now: Date,
): number {
  const days = Math.max(0, (now.getTime() - Date.parse(at)) / DAY_MS);
  const newness = RECENCY * 0.5 ** (days / HALF_LIFE_DAYS);
  return score * (1 + newness + (IMPORTANCE[importance ?? 'medium'] ?? 0));
}

/** What a node that is not valid at the time that was asked for keeps of its score: what holds comes before it. */
const NOT_VALID = 0.5;

/** Null: of an event. */
export function validityOf({ kind, at: valid_from, valid_to }: Row, now: Date): Validity | null {
  return kind === 'event' ? null : validityAt(now.toISOString(), { valid_from, valid_to });
}

/** A superseded node has its place below its successor already. */
export function withValidity(score: number, row: Row, now: Date): number {
  const isValid = (validityOf(row, now) ?? 'current') === 'current';
  return isValid || row.status === 'superseded' ? score : score * NOT_VALID;
}
