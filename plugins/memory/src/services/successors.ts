import type { Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import type { MemoryRecord } from './kinds.js';

/** The first of these nodes among the successors of a node, and theirs. */
export async function successorAmong(
  sql: Sql,
  node: Pick<KnowledgeNode, 'superseded_by'>,
  ids: readonly string[],
): Promise<string | undefined> {
  const seen = new Set<string>(); // an import may bring a circle
  for (let id = node.superseded_by; id !== null && !seen.has(id);) {
    if (ids.includes(id)) return id;
    seen.add(id);
    const next: Pick<KnowledgeNode, 'superseded_by'> | undefined = await sql('memory_nodes')
      .where({ id, deleted: 0 })
      .first('superseded_by');
    id = next?.superseded_by ?? null;
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
