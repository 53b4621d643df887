import type { Sql } from '@service-mcp/core';
import { isInForce } from '../standing.js';
import type { MemoryRequest } from './memory-search.js';
import type { Row, Scored } from './ranked-row.js';
import { bestOf, validityOf } from './ranking.js';
import { sharesOfTypedTexts, type Types } from './typed-texts.js';

/** What binds a team. */
const BINDING: Types = { event: ['decision'], node: ['decision', 'constraint'] };
/** So many of them are shown with any results, where they have the words of the query. */
const MAX_BINDING = 3;
/** Characters of each kind that are looked through: reading their words takes 15 ms. */
const MAX_CHARACTERS = 128 * 1024;
/** Those that are read to find some in force. */
const MAX_READ = 20;
/** What one that has all words has of the score of the best result. */
const RAISED = 0.9;

/** Whether a record is one, and in force. */
function binds(row: Row, now: Date): boolean {
  return (
    BINDING[row.kind]?.includes(row.type) === true &&
    isInForce({ status: row.status, validity: validityOf(row, now) })
  );
}

/**
 * Raises records that bind, by the share of the words of a query that they have, where few of them are among the best: many
 * notes on the same subject are nearer to a query than the decision on it. Their rows are added.
 */
export async function raiseBinding(
  sql: Sql,
  { limit, ...request }: MemoryRequest,
  scores: Map<string, Scored>,
  rows: Map<string, Row>,
  { now, rowsOf }: { readonly now: Date; readonly rowsOf: (ids: string[]) => Promise<Map<string, Row>> },
): Promise<void> {
  const first = bestOf(scores, limit);
  const counts = (id: string) => {
    const row = rows.get(id);
    return row !== undefined && (binds(row, now) || row.status === 'superseded'); // which its successor has its score from
  };
  const missing = MAX_BINDING - [...first.keys()].filter(counts).length;
  const [best] = first.values();
  if (missing <= 0 || first.size < limit || !best) return;
  const shares = await sharesOfTypedTexts(sql, request, BINDING, first, MAX_CHARACTERS);
  const found = [...shares].sort(([, a], [, b]) => b - a).slice(0, MAX_READ);
  const unread = found.map(([id]) => id).filter((id) => !rows.has(id));
  for (const [id, row] of await rowsOf(unread)) rows.set(id, row);
  for (const [id, share] of found.filter(([of]) => counts(of)).slice(0, missing)) {
    const { score = 0, parts = {} } = scores.get(id) ?? {};
    scores.set(id, { score: Math.max(score, share * RAISED * best.score), parts });
  }
}

/** Records in their order up to the limit, and of the others the first that bind. */
export function withBinding<Hit extends { readonly row: Row }>(
  hits: readonly Hit[],
  limit: number,
  now: Date,
): Hit[] {
  const others = hits.slice(limit).filter(({ row }) => binds(row, now));
  return [...hits.slice(0, limit), ...others.slice(0, MAX_BINDING)];
}
