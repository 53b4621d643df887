import type { Sql } from '@service-mcp/core';
import { analyse } from '@service-mcp/plugin-search/contract';
import type { Row } from './ranked-row.js';
import { headsOf } from './record-rows.js';

/** So many places of a page are for a name of the query, where so many records have it, of a page of twice as many at least. */
const MIN_NAMED = 3;
/** With more names than this, a query is a list, and its score is the better judge. */
const MAX_NAMES = 3;
const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}_-]*/gu;

/**
 * Records, best first, of which the first `limit` have places for the names of a query: many records of a common phrase
 * beside a name (`Ada and the billing service`) leave it none.
 */
export async function withNamed<Hit extends { readonly row: Row }>(
  sql: Sql,
  query: string,
  hits: readonly Hit[],
  limit: number,
): Promise<readonly Hit[]> {
  const names = [...new Set(query.match(NAME) ?? [])].filter((word) => analyse(word).length > 0);
  if (names.length === 0 || names.length > MAX_NAMES || hits.length <= limit || limit < 2 * MIN_NAMED)
    return hits;
  const texts = await headsOf(
    sql,
    hits.map(({ row }) => row),
  );
  const named = names.map((name) => {
    const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])${name}(?![\p{L}\p{N}])`, 'iu');
    return hits.filter(({ row }) => {
      const { title = '', content = '' } = texts.get(row.id) ?? {};
      return whole.test(title) || whole.test(content);
    });
  });
  const places = new Set(named.flatMap((having) => having.slice(0, MIN_NAMED)));
  for (const hit of hits) if (places.size < limit) places.add(hit);
  const isFirst = (hit: Hit) => places.has(hit);
  return [...hits.filter(isFirst), ...hits.filter((hit) => !isFirst(hit))];
}
