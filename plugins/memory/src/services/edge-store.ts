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
  if (absent !== undefined) throw notFound('node', absent, 'memory_search');
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

/** In one order, so that two changes wait for each other; SQLite has one writer anyway. */
async function lockEdges(edges: Query): Promise<KnowledgeEdge[]> {
  return edges.orderBy('id').forUpdate().select(EDGE_COLUMNS) as Promise<KnowledgeEdge[]>;
}

/** Deletes the edges of nodes that are gone for good. */
export async function eraseEdges(sql: Sql, nodeIds: readonly string[]): Promise<void> {
  const edges = () => ofNodes(sql('memory_edges'), nodeIds);
  await lockEdges(edges());
  await edges().delete();
}

/** The ends that a merge moved, as they were before. */
export type MovedEdge = Pick<KnowledgeEdge, 'id'> &
  Partial<Pick<KnowledgeEdge, 'source_node_id' | 'target_node_id'>>;

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
  const edges = await lockEdges(ofNodes(sql('memory_edges'), [...merged, keep]));
  const isMerged = new Set(merged);
  const moves = (edge: KnowledgeEdge) =>
    isMerged.has(edge.source_node_id) || isMerged.has(edge.target_node_id);
  const taken = new Set(edges.filter((edge) => !moves(edge)).map(keyOf));
  const moved: MovedEdge[] = [];
  for (const edge of edges.filter(moves)) {
    const { id, source_node_id, target_node_id } = edge;
    const before = {
      ...(isMerged.has(source_node_id) && { source_node_id }),
      ...(isMerged.has(target_node_id) && { target_node_id }),
    };
    const ends = Object.fromEntries(Object.keys(before).map((end) => [end, keep]));
    const after = { ...edge, ...ends };
    if (after.source_node_id === after.target_node_id || taken.has(keyOf(after))) continue;
    taken.add(keyOf(after));
    moved.push({ id, ...before });
    await sql('memory_edges').where({ id }).update(ends);
    record({ type: 'memory.edge.updated', workspaceId: workspace_id, data: { id } });
  }
  return moved;
}

function keyOf({ source_node_id, target_node_id, relation_type }: KnowledgeEdge): string {
  return `${source_node_id} ${target_node_id} ${relation_type}`;
}

/** Moves edges back to where they were before a merge. Those that were removed since stay removed. */
export async function restoreEdges(
  sql: Sql,
  record: RecordEvents,
  workspaceId: string,
  moved: readonly MovedEdge[],
): Promise<void> {
  for (const { id, ...ends } of moved) {
    const [edge] = await lockEdges(sql('memory_edges').where({ id }));
    if (!edge) continue;
    const { source_node_id, target_node_id, relation_type } = { ...edge, ...ends };
    const key = { source_node_id, target_node_id, relation_type };
    const taken: unknown = await sql('memory_edges').where(key).first('id'); // a later merge can have moved one there
    if (taken !== undefined) continue;
    await sql('memory_edges').where({ id }).update(ends);
    record({ type: 'memory.edge.updated', workspaceId, data: { id } });
  }
}
