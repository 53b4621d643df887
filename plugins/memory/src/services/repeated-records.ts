import type { Sql } from '@service-mcp/core';
import type { RecordText, Row, Scored } from './ranked-row.js';
import { headsOf, isWhole } from './record-rows.js';
import { repeats } from './similarity.js';

/** The best records, which are compared with each other. */
const MAX_COMPARED = 60;
/** What a record keeps of its score: as little as what is left out as noise. */
const REPEATED = 0.05;

/**
 * Records, best first, of which those that say nothing new after a better one come after the others: `all tests passed` of
 * each day would fill a page. The texts of long records are not compared.
 */
export async function belowOthers<Hit extends Scored & { readonly row: Row }>(
  sql: Sql,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  if (hits.length < 2) return hits;
  const heads = await headsOf(
    sql,
    hits.slice(0, MAX_COMPARED).map(({ row }) => row),
  );
  const seen: RecordText[] = [];
  const weighed = hits.map((hit) => {
    const text = heads.get(hit.row.id);
    if (!text || !isWhole(text)) return hit;
    if (seen.some((other) => repeats(text, other))) return { ...hit, score: hit.score * REPEATED };
    seen.push(text);
    return hit;
  });
  return weighed.toSorted((a, b) => b.score - a.score);
}
