import { Page, closed, defineTool, pageText, paging, requireScope } from '@service-mcp/core';
import { KnowledgeEdge, KnowledgeEdges } from '@service-mcp/plugin-memory/contract';
import { Type } from 'typebox';
import { NodeId } from '../knowledge/schemas.js';

export const listLinks = defineTool({
  name: 'graph_list_links',
  title: 'Relations of a knowledge node',
  description: 'Lists the stated relations that begin or end at a knowledge node, newest first.',
  input: Type.Object({ node_id: NodeId, ...paging }, closed),
  output: Page(KnowledgeEdge),
  effect: 'read',
  access: { scope: 'graph:read', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'GET', path: '/v1/graph/knowledge/edges' },
  text: (page) =>
    pageText(page, ({ id, source_node_id, relation_type, target_node_id, weight, context }) => {
      const why = context === null ? '' : `: ${context}`;
      return `${source_node_id} ${relation_type} ${target_node_id}, weight ${weight}${why} (edge ${id})`;
    }),
  uses: { edges: KnowledgeEdges },
  async handler({ node_id, ...page }, { edges }, { caller }) {
    requireScope(caller, 'memory:read', 'A relation of memory');
    return edges.list(node_id, page);
  },
});
