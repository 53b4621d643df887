import { notFound, uuidv7, type Query, type RecordEvents, type Sql } from '@service-mcp/core';
import { KnowledgeEdge } from '../edges.js';

export const EDGE_COLUMNS = Object.keys(KnowledgeEdge.properties);

/** A relation to make, from a node that exists. */
export type EdgeValues = Omit<KnowledgeEdge, 'id'>;

/**
 * Edges whose two nodes live in these workspaces. The rows of a node that was deleted with undo stay until the undo
 * expires: they are absent here, and back with the node.
 */
export function livingEdges(sql: Sql, workspaceIds: readonly string[]): Query {
  const living = (end: string) =>
    sql('memory_nodes')
      .whereRaw('memory_nodes.id = ??', [`memory_edges.${end}`])
      .whereIn('memory_nodes.workspace_id', workspaceIds)
      .where('memory_nodes.deleted', 0)
      .select(sql.raw('1'));
  return sql('memory_edges').whereExists(living('source_node_id')).whereExists(living('target_node_id'));
}

/** Confines a query over edges to those that begin or end at one of the nodes. */
export function ofNodes(edges: Query, ids: readonly string[]): Query {
  return edges.where((either) => either.whereIn('source_node_id', ids).orWhereIn('target_node_id', ids));
}

/**
 * Locks living nodes of these workspaces against deletion until the transaction ends; their workspaces by id. Throws
 * NOT_FOUND naming the first that is absent.
 */
export async function lockNodes(
  sql: Sql,
  ids: readonly string[],
  workspaceIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = (await sql('memory_nodes')
    .whereIn('id', ids)
    .whereIn('workspace_id', workspaceIds)
    .where({ deleted: 0 })
    .orderBy('id') // in one order, so that two calls wait for each other; SQLite has one writer anyway
    .forShare()
    .select('id', 'workspace_id')) as Array<{ id: string; workspace_id: string }>;
  const found = new Map(rows.map(({ id, workspace_id }) => [id, workspace_id]));
  const absent = ids.find((id) => !found.has(id));
  if (absent !== undefined) throw notFound('node', absent, 'memory_list_nodes');
  return found;
}

/** Makes an edge between locked nodes. An existing one of this type gets the weight and the context. */
export async function putEdge(sql: Sql, record: RecordEvents, values: EdgeValues): Promise<KnowledgeEdge> {
  const { workspace_id, source_node_id, target_node_id, relation_type, weight, context } = values;
  const key = { source_node_id, target_node_id, relation_type };
  const before: KnowledgeEdge | undefined = await sql('memory_edges').where(key).first(EDGE_COLUMNS);
  if (before?.weight === weight && before.context === context) return before;
  const id = uuidv7();
  const [edge] = (await sql('memory_edges')
    .insert({ ...values, id })
    .onConflict(Object.keys(key))
    .merge(['weight', 'context'])
    .returning(EDGE_COLUMNS)) as [KnowledgeEdge]; // a row was inserted or updated
  const change = edge.id === id ? 'created' : 'updated';
  record({ type: `memory.edge.${change}`, workspaceId: workspace_id, data: { id: edge.id } });
  return edge;
}

/** Deletes the edges of nodes that are gone for good. */
export async function eraseEdges(sql: Sql, nodeIds: readonly string[]): Promise<void> {
  await ofNodes(sql('memory_edges'), nodeIds).delete();
}

/** The ends of an edge before a merge moved it. */
export type MovedEdge = Pick<KnowledgeEdge, 'id' | 'source_node_id' | 'target_node_id'>;

/**
 * Moves the edges of merged nodes to the kept one, and returns their ends before. Edges that would begin and end at it,
 * or that it has already, stay with the merged node: hidden like that, until undo restores it.
 */
export async function moveEdges(
  sql: Sql,
  record: RecordEvents,
  { id: keep, workspace_id }: { readonly id: string; readonly workspace_id: string },
  merged: readonly string[],
): Promise<MovedEdge[]> {
  const rows = (await ofNodes(sql('memory_edges'), [...merged, keep])
    .orderBy('id')
    .select(EDGE_COLUMNS)) as KnowledgeEdge[];
  const keyOf = (source: string, target: string, type: string) => `${source} ${target} ${type}`;
  const isMerged = new Set(merged);
  const moves = (edge: KnowledgeEdge) =>
    isMerged.has(edge.source_node_id) || isMerged.has(edge.target_node_id);
  const taken = new Set(
    rows
      .filter((edge) => !moves(edge))
      .map((edge) => keyOf(edge.source_node_id, edge.target_node_id, edge.relation_type)),
  );
  const moved: MovedEdge[] = [];
  for (const { id, source_node_id, target_node_id, relation_type } of rows.filter(moves)) {
    const source = isMerged.has(source_node_id) ? keep : source_node_id;
    const target = isMerged.has(target_node_id) ? keep : target_node_id;
    const key = keyOf(source, target, relation_type);
    if (source === target || taken.has(key)) continue;
    taken.add(key);
    moved.push({ id, source_node_id, target_node_id });
    await sql('memory_edges').where({ id }).update({ source_node_id: source, target_node_id: target });
    record({ type: 'memory.edge.updated', workspaceId: workspace_id, data: { id } });
  }
  return moved;
}

/** Moves edges back to where they were before a merge. Those that were removed since stay removed. */
export async function restoreEdges(
  sql: Sql,
  record: RecordEvents,
  workspaceId: string,
  moved: readonly MovedEdge[],
): Promise<void> {
  for (const { id, ...ends } of moved) {
    const taken = sql({ other: 'memory_edges' })
      .where(ends)
      .whereRaw('other.relation_type = memory_edges.relation_type') // a later merge can have moved another one there
      .select(sql.raw('1'));
    const count = await sql('memory_edges').where({ id }).whereNotExists(taken).update(ends);
    if (count > 0) record({ type: 'memory.edge.updated', workspaceId, data: { id } });
  }
}
