import type { Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import type { MemoryRecord } from './kinds.js';

/** What nodes and their successors are superseded by, as far as these are there: by id, and read at once. */
export async function readSuccessors(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const columns = ['id', 'superseded_by'];
  const living = () => sql('memory_nodes').where({ deleted: 0 }).whereNotNull('superseded_by');
  const rows = (await sql
    .withRecursive('chain', columns, (chain) =>
      chain
        .from(living().whereIn('id', ids).as('first'))
        .select(columns)
        .union((more) =>
          more
            .from(living().as('node'))
            .join('chain', 'node.id', 'chain.superseded_by')
            .select('node.id', 'node.superseded_by'),
        ),
    )
    .from('chain')
    .select(columns)) as Array<{ id: string; superseded_by: string }>;
  return new Map(rows.map((row) => [row.id, row.superseded_by]));
}

/** The first of these nodes among the successors of a node, and theirs. */
export function successorAmong(
  successors: ReadonlyMap<string, string>,
  { superseded_by }: Pick<KnowledgeNode, 'superseded_by'>,
  ids: readonly string[],
): string | undefined {
  const seen = new Set<string>(); // an import may bring a circle
  for (let id = superseded_by ?? undefined; id !== undefined && !seen.has(id); id = successors.get(id)) {
    if (ids.includes(id)) return id;
    seen.add(id);
  }
  return undefined;
}

/** What a node supersedes after its predecessors were merged into it: what they did. */
export function supersededThrough(node: KnowledgeNode, merged: readonly MemoryRecord[]): string | null {
  const byId = new Map(merged.map((each) => [each.id, each]));
  let id = node.supersedes;
  for (let steps = 0; id !== null && steps <= merged.length; steps++) {
    const one = byId.get(id);
    if (!one) return id === node.id ? null : id;
    id = 'supersedes' in one ? one.supersedes : null;
  }
  return null;
}
