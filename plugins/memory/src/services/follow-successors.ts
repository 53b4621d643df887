import type { Sql } from '@service-mcp/core';
import type { MemoryRequest } from './memory-search.js';
import type { Row, Scored } from './ranked-row.js';
import { rowsOf } from './record-rows.js';
import type { Period } from './time-words.js';

/** Steps from a superseded node to the one that holds now. */
const MAX_STEPS = 20;
const BELOW_SUCCESSOR = 0.5;

/** Whether a node was superseded after a time that is asked for: of that, it tells what its successor does not. */
export function heldIn(period: Period | undefined, { status, at, valid_to }: Row): boolean {
  return (
    period !== undefined && status === 'superseded' && at < period.until && (valid_to ?? '') >= period.until
  );
}

/**
 * A superseded node lends its score to the node that holds now: a query in the words of the old one finds the new
 * one, and the old one never ranks above it. One that held in the time that is asked for stays as it is.
 */
export async function followSuccessors(
  sql: Sql,
  scores: Map<string, Scored>,
  rows: Map<string, Row>,
  { workspace_id, include_superseded }: Pick<MemoryRequest, 'workspace_id' | 'include_superseded'>,
  period: Period | undefined,
): Promise<void> {
  const isLeft = (row: Row | undefined) => row?.status === 'superseded' && !heldIn(period, row);
  /** Of the superseded ones: the best of their own score and those that they superseded. */
  const lent = new Map([...scores].filter(([id]) => isLeft(rows.get(id))));
  let pending = [...lent.keys()];
  for (let step = 0; pending.length > 0 && step < MAX_STEPS; step++) {
    const next = pending.flatMap((id) => rows.get(id)?.superseded_by ?? []);
    const missing = next.filter((id) => !rows.has(id));
    for (const [id, row] of await rowsOf(sql, missing, workspace_id)) rows.set(id, row);
    const further = new Set<string>();
    for (const id of pending) {
      const successor = rows.get(id)?.superseded_by ?? '';
      const row = rows.get(successor);
      const from = lent.get(id);
      if (!row || !from) continue;
      const to = isLeft(row) ? lent : scores;
      if (from.score <= (to.get(successor)?.score ?? 0)) continue;
      to.set(successor, from);
      if (to === lent) further.add(successor);
    }
    pending = [...further];
  }
  for (const [id, scored] of scores) {
    if (!isLeft(rows.get(id))) continue;
    if (include_superseded) scores.set(id, { ...scored, score: scored.score * BELOW_SUCCESSOR });
    else scores.delete(id);
  }
}
