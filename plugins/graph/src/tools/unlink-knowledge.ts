import { Id, closed, defineTool, closedAs } from '@service-mcp/core';
import { KnowledgeEdges } from '@service-mcp/plugin-memory/contract';
import { Type } from 'typebox';

export const unlinkKnowledge = defineTool({
  name: 'graph_unlink_knowledge',
  title: 'Remove a relation',
  description: 'Removes a stated relation of two knowledge nodes.',
  input: Type.Object({ edge_id: Id('Edge', 'graph_list_links') }, closed),
  output: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, closedAs('Deleted')),
  effect: 'delete',
  access: { scope: 'graph:write', role: 'member', in: { resource: 'edge', id: 'edge_id' } },
  http: { method: 'DELETE', path: '/v1/graph/knowledge/edges/:edge_id' },
  uses: { edges: KnowledgeEdges },
  async handler({ edge_id }, { edges }) {
    const { id } = await edges.unlink(edge_id);
    return { id, deleted: true as const };
  },
});
