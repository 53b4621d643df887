import type { Sql } from '@service-mcp/core';
import type { Kind } from './kinds.js';
import { shareOfWords, wordsOfQuery, type BesideIndex } from './words-of-query.js';

/** The newest records of a kind, among which those are that wait for the index, and characters of them that are read. */
const MAX_NEWEST = 200;
const MAX_CHARACTERS = 512 * 1024;

interface Asked {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string | undefined;
  readonly kinds: readonly Kind[];
}

/**
 * Scores of records that were just stored or changed, and wait for the index, by the share of the words of a query that
 * they have: what was said a moment ago counts in the next question.
 */
export async function scoresOfNewTexts(sql: Sql, asked: Asked): Promise<BesideIndex> {
  const { query, workspace_id, project_id, kinds } = asked;
  const words = wordsOfQuery(query);
  const scores = new Map<string, number>();
  const held = new Set<string>();
  if (words.size === 0) return { scores, held };
  for (const kind of kinds) {
    const table = `memory_${kind}s`;
    const newest = sql(table)
      .where({ workspace_id, deleted: 0 })
      .orderBy(kind === 'node' ? 'updated_at' : 'id', 'desc') // as they are in an index of the table
      .limit(MAX_NEWEST)
      .select('id', 'project_id', 'indexing_status', { size: sql.raw('length(content)') });
    const waiting = sql(newest.as('newest')).where({ indexing_status: 'pending' });
    if (project_id !== undefined) void waiting.where({ project_id });
    const found = (await waiting.select('id', 'size')) as Array<{ id: string; size: number }>;
    let characters = 0;
    const ids = found.filter(({ size }) => (characters += size) <= MAX_CHARACTERS).map(({ id }) => id);
    if (ids.length === 0) continue;
    const texts = (await sql(table).whereIn('id', ids).select('id', 'title', 'content')) as Array<{
      id: string;
      title: string;
      content: string;
    }>;
    for (const { id, ...text } of texts) {
      const share = shareOfWords(words, text, held);
      if (share > 0) scores.set(id, share);
    }
  }
  return { scores, held };
}
