import {
  CallAdmission,
  Clock,
  Database,
  Events,
  invalidArgument,
  notFound,
  provideForCall,
  selectPage,
  token,
  type PageOf,
  type PageRequest,
} from '@service-mcp/core';
import type { KnowledgeEdge } from '../edges.js';
import { KnowledgeNodes } from '../nodes.js';
import { Screening } from './screening.js';
import { EDGE_COLUMNS, livingEdges, lockNodes, ofNodes, putEdge } from './edge-store.js';
import { validAt } from './validity.js';

/** A relation between two nodes, whether an edge says so or one node superseded the other. */
export type Relation = Pick<KnowledgeEdge, 'source_node_id' | 'target_node_id' | 'relation_type' | 'weight'>;

/** The edges between the knowledge nodes that one call may see. Nodes of other workspaces are absent. */
export interface KnowledgeEdges {
  /**
   * Relates two nodes. An edge of this type that is there gets the weight (0 to 1) and the context, without
   * secrets. Throws NOT_FOUND
   * for a node that is absent, INVALID_ARGUMENT for one node at both ends and for nodes of two workspaces.
   */
  link(
    edge: Pick<KnowledgeEdge, 'source_node_id' | 'target_node_id' | 'relation_type' | 'weight' | 'context'>,
  ): Promise<KnowledgeEdge>;
  /** The edges that begin or end at a node, newest first. Throws NOT_FOUND. */
  list(nodeId: string, request: PageRequest): Promise<PageOf<KnowledgeEdge>>;
  /** Removes an edge; returns it. Throws NOT_FOUND. */
  unlink(id: string): Promise<KnowledgeEdge>;
  /**
   * One step of a traversal: the relations that begin or end at any of the nodes (up to 1,000 ids), the strongest first,
   * up to `limit`. A superseded node is the target of a `supersedes` relation of weight 1 from its successor.
   */
  neighbours(
    nodeIds: readonly string[],
    options: { readonly relationTypes?: readonly KnowledgeEdge['relation_type'][]; readonly limit: number },
  ): Promise<Relation[]>;
  /**
   * Nodes in force that resemble one of the nodes (up to 1,000 ids) and differ in a number or a negation, as the checks
   * of memory found them: relations `contradicts`, up to `limit`.
   */
  contradictions(nodeIds: readonly string[], limit: number): Promise<Relation[]>;
}
export const KnowledgeEdges = token<KnowledgeEdges>('memory.Edges');

export const knowledgeEdges = provideForCall(KnowledgeEdges, {
  uses: {
    database: Database,
    events: Events,
    clock: Clock,
    nodes: KnowledgeNodes,
    screening: Screening,
    admission: CallAdmission,
  },
  create({ database, events, clock, nodes, screening, admission }): KnowledgeEdges {
    const { workspaceIds, caller } = admission;
    return {
      link({ source_node_id, target_node_id, relation_type, weight, context: given }) {
        if (source_node_id === target_node_id)
          throw invalidArgument('/target_node_id', 'must be another node than source_node_id');
        const { context } = screening.screen({ context: given }).values;
        return events.change(async (sql, record) => {
          const workspaces = await lockNodes(sql, [source_node_id, target_node_id], workspaceIds);
          const workspace_id = String(workspaces.get(source_node_id));
          if (workspaces.get(target_node_id) !== workspace_id)
            throw invalidArgument('/target_node_id', 'is a node of another workspace');
          const made = { created_at: clock.now().toISOString(), created_by: caller.userId };
          const ends = { workspace_id, source_node_id, target_node_id };
          return putEdge(sql, record, { ...ends, relation_type, weight, context, ...made });
        });
      },

      async list(nodeId, request) {
        await nodes.get(nodeId);
        const edges = ofNodes(livingEdges(database.sql, workspaceIds), [nodeId])
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .select(EDGE_COLUMNS);
        return selectPage(edges, request, (edge: KnowledgeEdge) => edge);
      },

      unlink: (id) =>
        events.change(async (sql, record) => {
          const edge: KnowledgeEdge | undefined = await livingEdges(sql, workspaceIds)
            .where({ id })
            .first(EDGE_COLUMNS);
          const count = edge ? await sql('memory_edges').where({ id }).delete() : 0;
          if (!edge || count === 0) throw notFound('edge', id);
          record({ type: 'memory.edge.deleted', workspaceId: edge.workspace_id, data: { id } });
          return edge;
        }),

      async neighbours(nodeIds, { relationTypes, limit }) {
        const { sql } = database;
        const columns = ['source_node_id', 'target_node_id', 'relation_type', 'weight'];
        const edges = ofNodes(livingEdges(sql, workspaceIds), nodeIds).select(columns);
        const superseding = sql({ old: 'memory_nodes' })
          .where((either) => either.whereIn('old.id', nodeIds).orWhereIn('old.superseded_by', nodeIds))
          .where('old.deleted', 0)
          .whereExists((successor) =>
            successor
              .from('memory_nodes')
              .whereRaw('memory_nodes.id = old.superseded_by')
              .whereIn('memory_nodes.workspace_id', workspaceIds)
              .where('memory_nodes.deleted', 0)
              .select(sql.raw('1')),
          )
          .whereNotExists((same) =>
            same
              .from('memory_edges')
              .whereRaw('source_node_id = old.superseded_by AND target_node_id = old.id')
              .where({ relation_type: 'supersedes' })
              .select(sql.raw('1')),
          )
          .select(sql.raw(`old.superseded_by, old.id, 'supersedes', 1.0`));
        const all = sql(sql.unionAll([edges, superseding]).as('relations'));
        if (relationTypes) void all.whereIn('relation_type', relationTypes);
        return all
          .orderBy('weight', 'desc')
          .orderBy(columns.slice(0, 3))
          .limit(limit)
          .select(columns) as Promise<Relation[]>;
      },

      async contradictions(nodeIds, limit) {
        const { sql } = database;
        const now = clock.now().toISOString();
        const held = (column: string) =>
          validAt(sql('memory_nodes'), now)
            .whereRaw('memory_nodes.id = ??', [`memory_findings.${column}`])
            .whereIn('memory_nodes.workspace_id', workspaceIds)
            .where('memory_nodes.deleted', 0)
            .whereNot('memory_nodes.status', 'superseded')
            .select(sql.raw('1'));
        const pairs = (await sql('memory_findings')
          .where({ kind: 'contradiction', record_kind: 'node' })
          .where((either) => either.whereIn('record_id', nodeIds).orWhereIn('other_id', nodeIds))
          .whereExists(held('record_id'))
          .whereExists(held('other_id'))
          .orderBy(['record_id', 'other_id'])
          .limit(2 * limit)
          .select('record_id', 'other_id')) as Array<{ record_id: string; other_id: string }>;
        // The checks of both nodes may have found it.
        const once = new Map(pairs.map((pair) => [Object.values(pair).sort().join(), pair]));
        return [...once.values()].slice(0, limit).map(({ record_id, other_id }) => ({
          source_node_id: record_id,
          target_node_id: other_id,
          relation_type: 'contradicts',
          weight: 1,
        }));
      },
    };
  },
});
