import type { Sql } from '@service-mcp/core';
import type { KnowledgeEdge } from '../edges.js';
import { livingEdges } from './edge-store.js';

/** Another node, and how the one that is shown relates to it. */
export interface Related {
  readonly id: string;
  /** A relation type, or the passive of one where the other node is its source. */
  readonly relation_type: string;
}

/** The most relations that a node is shown with. */
const MAX_SHOWN = 50;
const PASSIVE: Readonly<Record<KnowledgeEdge['relation_type'], string>> = {
  influences: 'influenced_by',
  depends_on: 'required_by',
  supersedes: 'superseded_by',
  related_to: 'related_to',
  implements: 'implemented_by',
  contradicts: 'contradicts',
};

/** The nodes that edges relate these ones to, by their ids: the strongest 50 of each, made by `asOf` where it is given. */
export async function relatedNodes(
  sql: Sql,
  workspaceIds: readonly string[],
  ids: readonly string[],
  asOf?: string,
): Promise<Map<string, Related[]>> {
  const from = (here: string, there: string) => {
    const edges = livingEdges(sql, workspaceIds).whereIn(here, ids);
    if (asOf !== undefined) void edges.where('created_at', '<=', asOf);
    return edges.select({ here, there }, 'source_node_id', 'relation_type', 'weight', 'id');
  };
  const both = [from('source_node_id', 'target_node_id'), from('target_node_id', 'source_node_id')];
  const ranked = sql(sql.unionAll(both).as('edges')).select(
    '*',
    sql.raw('row_number() OVER (PARTITION BY here ORDER BY weight DESC, id) AS place'),
  );
  const rows = (await sql(ranked.as('ranked'))
    .where('place', '<=', MAX_SHOWN)
    .orderBy('place')
    .select('here', 'there', 'source_node_id', 'relation_type')) as Array<
    Pick<KnowledgeEdge, 'source_node_id' | 'relation_type'> & { here: string; there: string }
  >;
  const related = new Map<string, Related[]>();
  for (const { here, there, source_node_id, relation_type } of rows) {
    const found = {
      id: there,
      relation_type: source_node_id === here ? relation_type : PASSIVE[relation_type],
    };
    related.set(here, [...(related.get(here) ?? []), found]);
  }
  return related;
}

/** The relations of a record: first whom it superseded and who superseded it, then those of edges. Each one once. */
export function relationsOf(
  {
    supersedes,
    superseded_by,
  }: { readonly supersedes?: string | null; readonly superseded_by?: string | null },
  edges: readonly Related[] = [],
): Related[] {
  const superseding = [
    ...(supersedes ? [{ id: supersedes, relation_type: 'supersedes' }] : []),
    ...(superseded_by ? [{ id: superseded_by, relation_type: 'superseded_by' }] : []),
  ];
  const shown = new Set(superseding.map(({ id, relation_type }) => `${relation_type} ${id}`));
  return [...superseding, ...edges.filter(({ id, relation_type }) => !shown.has(`${relation_type} ${id}`))];
}
