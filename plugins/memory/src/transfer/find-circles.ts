import type { Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';

type Superseded = Pick<KnowledgeNode, 'id' | 'status' | 'superseded_by'>;

const IDS_PER_STATEMENT = 500;

/**
 * Ids of new nodes, in the order of their lines, that would close a circle of nodes that are superseded by each other: each
 * would name another one to work on, and none could be reopened. Without them, no circle is closed.
 */
export async function findCircles(sql: Sql, nodes: readonly Superseded[]): Promise<ReadonlySet<string>> {
  const circles = new Set<string>();
  const ending = nodes.filter(({ status, superseded_by }) => status === 'superseded' && superseded_by);
  if (ending.length === 0) return circles;
  const next = await storedSuccessors(sql, ending);
  for (const { id, superseded_by } of ending) {
    const seen = new Set<string>();
    let at = superseded_by ?? undefined;
    while (at !== undefined && at !== id && !seen.has(at)) {
      seen.add(at);
      at = next.get(at);
    }
    if (at === id) circles.add(id);
    else next.set(id, superseded_by ?? '');
  }
  return circles;
}

/** What stored nodes are superseded by, of those that follow the new ones; empty where none leads back to a new one. */
async function storedSuccessors(sql: Sql, nodes: readonly Superseded[]): Promise<Map<string, string>> {
  const next = new Map<string, string>();
  const ids = nodes.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
    const some = ids.slice(from, from + IDS_PER_STATEMENT);
    const leadsBack: unknown = await sql('memory_nodes')
      .whereIn('superseded_by', some)
      .where({ deleted: 0, status: 'superseded' })
      .first('id');
    if (leadsBack === undefined) continue;
    const starts = [...new Set(nodes.flatMap(({ superseded_by }) => superseded_by ?? []))];
    for (let at = 0; at < starts.length; at += IDS_PER_STATEMENT) {
      const columns = ['id', 'superseded_by'];
      const living = sql('memory_nodes').where({ deleted: 0, status: 'superseded' });
      const rows = (await sql
        .withRecursive('chain', columns, (chain) =>
          chain
            .from(
              living
                .clone()
                .whereIn('id', starts.slice(at, at + IDS_PER_STATEMENT))
                .as('first'),
            )
            .select(columns)
            .union((more) =>
              more
                .from(living.clone().as('node'))
                .join('chain', 'node.id', 'chain.superseded_by')
                .select('node.id', 'node.superseded_by'),
            ),
        )
        .from('chain')
        .select(columns)) as Array<{ id: string; superseded_by: string | null }>;
      for (const row of rows) if (row.superseded_by !== null) next.set(row.id, row.superseded_by);
    }
    return next;
  }
  return next;
}
