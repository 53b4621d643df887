import type { Row, Scored } from './memory-search.js';

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
 * Adds to each event the scores of the one or two before and after it in its session, and of the best of the session:
 * what answers a question is often said next to what repeats its words. Scores are scaled to at most 1.
 */
export function withContext(
  scores: ReadonlyMap<string, Scored>,
  places: readonly Placed[],
): Map<string, Scored> {
  const own = (id: string | undefined) => (id === undefined ? 0 : (scores.get(id)?.score ?? 0));
  const best = new Map<string, number>();
  for (const { id, session } of places) best.set(session, Math.max(best.get(session) ?? 0, own(id)));
  const raised = new Map(scores);
  for (const [at, { id, session }] of places.entries()) {
    const near = (distance: number) => {
      const place = places[at + distance];
      return place?.session === session ? own(place.id) : 0;
    };
    const score =
      own(id) +
      NEIGHBOUR * (near(-1) + near(1)) +
      SECOND_NEIGHBOUR * (near(-2) + near(2)) +
      SESSION * (best.get(session) ?? 0);
    if (score > 0) raised.set(id, { score, parts: scores.get(id)?.parts ?? {} });
  }
  const most = Math.max(1, ...[...raised.values()].map(({ score }) => score));
  return new Map([...raised].map(([id, { score, parts }]) => [id, { score: score / most, parts }]));
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
