import type { TestHost } from '@service-mcp/core/testing';
import type { KnowledgeEdge, Relation } from '@service-mcp/plugin-memory/contract';
import { createNode, newWorkspace } from './start-memory.js';

export interface EdgePage {
  readonly items: readonly KnowledgeEdge[];
  readonly total: number;
}

export type EdgeWorkspace = Awaited<ReturnType<typeof edgeWorkspace>>;

/** A new workspace with the nodes a, b and c, and calls about its edges. The host has `edgeTools`. */
export async function edgeWorkspace(host: TestHost) {
  const workspace_id = await newWorkspace(host);

  const node = async (title: string, more: object = {}) =>
    (await createNode(host, { workspace_id, title, ...more })).id;
  const link = (source_node_id: string, target_node_id: string, more: object = {}) =>
    host.use<KnowledgeEdge>('edges_link', {
      workspace_id,
      source_node_id,
      target_node_id,
      relation_type: 'influences',
      ...more,
    });
  const page = (node_id: string, more: object = {}) =>
    host.use<EdgePage>('edges_list', { workspace_id, node_id, ...more });
  const edgesOf = async (node_id: string) =>
    (await page(node_id)).items.toSorted((x, y) => (x.id < y.id ? -1 : 1));
  const neighbours = async (ids: readonly string[], more: object = {}) => {
    const args = { workspace_id, ids, ...more };
    const { relations } = await host.use<{ relations: Relation[] }>('edges_neighbours', args);
    return relations.map((each) => [each.source_node_id, each.relation_type, each.target_node_id]);
  };
  const deleteMany = async (...ids: readonly string[]) =>
    (await host.use<{ change_id: string }>('memory_delete_many', { workspace_id, ids })).change_id;
  const merge = async (keep: string, ...others: readonly string[]) =>
    (await host.use<{ change_id: string }>('memory_merge', { ids: [keep, ...others], keep })).change_id;
  const undo = (change_id: string) => host.use('memory_undo', { change_id });
  const rows = async () => (await host.database.sql('memory_edges').where({ workspace_id })).length;
  const recorded = async () => {
    const events = (await host.database
      .sql('change_events')
      .where({ workspace_id })
      .where('type', 'like', 'memory.edge.%')
      .orderBy('id')
      .pluck('type')) as string[];
    return events.map((type) => type.slice('memory.edge.'.length));
  };

  return {
    workspace_id,
    a: await node('a'),
    b: await node('b'),
    c: await node('c'),
    node,
    link,
    page,
    edgesOf,
    neighbours,
    deleteMany,
    merge,
    undo,
    rows,
    recorded,
  };
}
