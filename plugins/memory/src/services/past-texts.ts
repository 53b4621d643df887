import type { Sql } from '@service-mcp/core';
import { analyse } from '@service-mcp/plugin-search/contract';
import type { KnowledgeNode } from '../nodes.js';
import { versionsAsOf } from './node-versions.js';

/** Nodes whose text changed since, that changed last before the time: so many are looked at, and so many characters. */
const MAX_CHANGED = 500;
const MAX_CHARACTERS = 1024 * 1024;
const READ_AT_ONCE = 50;
/** A text with fewer of the words of a query is not an answer to it. */
const MIN_SHARE = 0.5;
/** The score of a text that has all of them: above what newness and importance add to the best of the present texts. */
const WHOLE = 1.25;

/** A version of then, and the text of now. */
type Changed = Pick<KnowledgeNode, 'title' | 'content'> & { readonly node: string };

interface Asked {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string | undefined;
  readonly as_of: string;
}

/**
 * Scores of nodes that had another text at a time, by the share of the words of a query that this text has: the index has
 * their present texts alone.
 */
export async function scoresOfPastTexts(sql: Sql, asked: Asked): Promise<ReadonlyMap<string, number>> {
  const { query, workspace_id, project_id, as_of } = asked;
  const terms = new Set(analyse(query));
  const scores = new Map<string, number>();
  if (terms.size === 0) return scores;
  const changed = versionsAsOf(sql, [workspace_id], as_of)
    .join('memory_nodes as now', 'now.id', 'memory_node_versions.node_id')
    .where('now.deleted', 0)
    .where('now.updated_at', '>', as_of)
    .orderBy('memory_node_versions.recorded_at', 'desc')
    .orderBy('now.id', 'desc')
    .limit(READ_AT_ONCE)
    .select('memory_node_versions.node', 'now.title', 'now.content');
  if (project_id !== undefined) void changed.where('now.project_id', project_id);
  let characters = 0;
  for (let at = 0; at < MAX_CHANGED && characters < MAX_CHARACTERS; at += READ_AT_ONCE) {
    const rows = (await changed.clone().offset(at)) as Changed[];
    for (const row of rows) {
      const { id, title, content } = JSON.parse(row.node) as KnowledgeNode;
      if (title === row.title && content === row.content) continue;
      characters += title.length + content.length;
      const found = new Set(analyse(`${title}\n${content}`).filter((term) => terms.has(term)));
      const share = found.size / terms.size;
      if (share >= MIN_SHARE) scores.set(id, share * WHOLE);
    }
    if (rows.length < READ_AT_ONCE) break;
  }
  return scores;
}
