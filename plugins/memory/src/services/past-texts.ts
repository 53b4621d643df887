import type { Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { shareOfWords, wordsOfQuery, type BesideIndex } from './words-of-query.js';
import { versionsOfNodesAsOf } from './node-versions.js';

/** Nodes that changed since: the first of them are looked at, up to so many, and so many characters of them. */
const MAX_CHANGED = 500;
const MAX_CHARACTERS = 1024 * 1024;
const READ_AT_ONCE = 50;
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
export async function scoresOfPastTexts(sql: Sql, asked: Asked): Promise<BesideIndex> {
  const { query, workspace_id, project_id, as_of } = asked;
  const words = wordsOfQuery(query);
  const scores = new Map<string, number>();
  const held = new Set<string>();
  if (words.size === 0) return { scores, held };
  const since = sql('memory_nodes').where({ workspace_id, deleted: 0 });
  void since.where('updated_at', '>', as_of).where('created_at', '<=', as_of);
  if (project_id !== undefined) void since.where({ project_id });
  const ids = (await since.orderBy('updated_at').orderBy('id').limit(MAX_CHANGED).pluck('id')) as string[];
  let characters = 0;
  for (let at = 0; at < ids.length && characters < MAX_CHARACTERS; at += READ_AT_ONCE) {
    const changed = (await versionsOfNodesAsOf(sql, ids.slice(at, at + READ_AT_ONCE), as_of)
      .join('memory_nodes as now', 'now.id', 'memory_node_versions.node_id')
      .select('memory_node_versions.node', 'now.title', 'now.content')) as Changed[];
    for (const { node, ...now } of changed) {
      const { id, title, content } = JSON.parse(node) as KnowledgeNode;
      if (title === now.title && content === now.content) continue;
      characters += title.length + content.length;
      const share = shareOfWords(words, { title, content }, held);
      if (share > 0) scores.set(id, share * WHOLE);
    }
  }
  return { scores, held };
}
