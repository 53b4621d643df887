import { CallAdmission, provideForCall, token } from '@service-mcp/core';
import {
  KnowledgeByCode,
  KnowledgeEdges,
  KnowledgeNodes,
  type KnowledgeNode,
  type Relation,
} from '@service-mcp/plugin-memory/contract';
import { Search } from '@service-mcp/plugin-search/contract';
import type { RelatedEdge, RelatedNode } from './schemas.js';

export interface RelatedRequest {
  readonly node_id: string;
  readonly relation_types?: readonly RelatedEdge['relation_type'][];
  readonly max_depth: number;
  readonly include_semantic: boolean;
  readonly limit: number;
}

export interface RelatedAnswer {
  readonly node: KnowledgeNode;
  /** The best first, without the node itself. */
  readonly nodes: RelatedNode[];
  /** Between the node and `nodes`, and among these. */
  readonly edges: RelatedEdge[];
  /** Nodes that were found. */
  readonly total: number;
}

/** The nodes around a knowledge node, by stated relations, by meaning and by shared code. */
export interface RelatedKnowledge {
  /** Throws NOT_FOUND. */
  find(request: RelatedRequest, signal: AbortSignal): Promise<RelatedAnswer>;
}
export const RelatedKnowledge = token<RelatedKnowledge>('graph.RelatedKnowledge');

/** Factor of a score for each further step. */
const STEP = 0.7;
/** Relations of one step, and nodes of all steps. */
const MAX_RELATIONS = 500;
const MAX_NODES = 1000;
/** Nodes by meaning, and the least score among them, relative to that of the node for its own text. */
const MAX_SIMILAR = 20;
const SIMILAR = 0.35;
const MAX_QUERY = 2000;

export const relatedKnowledge = provideForCall(RelatedKnowledge, {
  uses: {
    nodes: KnowledgeNodes,
    edges: KnowledgeEdges,
    byCode: KnowledgeByCode,
    search: Search,
    admission: CallAdmission,
  },
  create({ nodes, edges, byCode, search }): RelatedKnowledge {
    /** Relations that begin or end at the nodes. */
    async function step(
      ids: readonly string[],
      types: RelatedRequest['relation_types'],
    ): Promise<RelatedEdge[]> {
      const options = { limit: MAX_RELATIONS, ...(types && { relationTypes: types }) };
      const stated = (await edges.neighbours(ids, options)).map((each) => edgeOf(each, 'explicit'));
      if (types && !types.includes('contradicts')) return stated;
      const found = await edges.contradictions(ids, MAX_RELATIONS);
      return [...stated, ...found.map((each) => edgeOf(each, 'semantic'))];
    }

    async function similar(node: KnowledgeNode, signal: AbortSignal): Promise<RelatedEdge[]> {
      const query = `${node.title}\n${node.content}`.slice(0, MAX_QUERY).toWellFormed();
      const filters = { kinds: ['node'] };
      const { workspace_id } = node;
      const request = { query, workspace_id, filters, limit: MAX_SIMILAR + 1 };
      const { documents } = await search.rank('hybrid', request, { signal });
      const own = documents.find(({ id }) => id === node.id)?.score ?? documents[0]?.score ?? 0;
      return documents
        .map(({ id, score }) => ({ id, weight: own > 0 ? Math.min(1, score / own) : 0 }))
        .filter(({ id, weight }) => id !== node.id && weight >= SIMILAR)
        .map(({ id, weight }) => relatedTo(node.id, id, weight, 'semantic'));
    }

    return {
      async find({ node_id, relation_types, max_depth, include_semantic, limit }, signal) {
        const node = await nodes.get(node_id);
        const found = new Map([[node_id, { depth: 0, score: 1 }]]);
        const all = new Map<string, RelatedEdge>();
        /** Adds relations and the nodes at their other ends. Returns the new nodes. */
        const add = (relations: readonly RelatedEdge[], depth: number): string[] => {
          const fresh: string[] = [];
          for (const edge of relations) {
            const key = `${edge.source} ${edge.relation_type} ${edge.target}`;
            if (!all.has(key)) all.set(key, edge);
            for (const [from, to] of [
              [edge.source, edge.target],
              [edge.target, edge.source],
            ] as const) {
              const origin = found.get(from);
              if (!origin || origin.depth !== depth - 1) continue;
              const score = origin.score * edge.weight * (depth === 1 ? 1 : STEP);
              const earlier = found.get(to);
              if (!earlier && found.size <= MAX_NODES) {
                found.set(to, { depth, score });
                fresh.push(to);
              } else if (earlier?.depth === depth && score > earlier.score) found.set(to, { depth, score });
            }
          }
          return fresh;
        };

        let frontier = [node_id];
        for (let depth = 1; depth <= max_depth && frontier.length > 0; depth++) {
          signal.throwIfAborted();
          const relations = await step(frontier, relation_types);
          if (depth === 1 && (!relation_types || relation_types.includes('related_to'))) {
            const shared = await byCode.sharing([node_id], MAX_SIMILAR);
            relations.push(
              ...shared.map((each) =>
                relatedTo(each.source_node_id, each.target_node_id, each.weight, 'code'),
              ),
            );
            if (include_semantic) relations.push(...(await similar(node, signal)));
          }
          frontier = add(relations, depth);
        }

        const others = [...found].filter(([id]) => id !== node_id);
        const page = { page: 1, per_page: others.length + 1 };
        const records = await nodes.list(
          page,
          {},
          (rows) =>
            void rows.whereIn(
              'id',
              others.map(([id]) => id),
            ),
        );
        const byId = new Map(records.items.map((record) => [record.id, record]));
        const ranked = others
          .flatMap(([id, { depth, score }]) => {
            const record = byId.get(id);
            if (!record) return []; // deleted meanwhile, or still in the search index
            const { node_type: type, title, status } = record;
            return [
              { id, kind: 'node' as const, type, title, status, depth, score: Number(score.toFixed(4)) },
            ];
          })
          .sort((a, b) => b.score - a.score || a.depth - b.depth || (a.id < b.id ? 1 : -1));
        const shown = ranked.slice(0, limit);
        const ids = new Set([node_id, ...shown.map(({ id }) => id)]);
        const between = [...all.values()].filter(({ source, target }) => ids.has(source) && ids.has(target));
        return { node, nodes: shown, edges: between, total: ranked.length };
      },
    };
  },
});

function edgeOf(
  { source_node_id, target_node_id, relation_type, weight }: Relation,
  origin: RelatedEdge['origin'],
) {
  return { source: source_node_id, target: target_node_id, relation_type, weight, origin };
}

function relatedTo(
  source: string,
  target: string,
  weight: number,
  origin: RelatedEdge['origin'],
): RelatedEdge {
  return { source, target, relation_type: 'related_to', weight: Number(weight.toFixed(4)), origin };
}
