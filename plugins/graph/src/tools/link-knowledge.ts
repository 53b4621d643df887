import { closed, defineTool } from '@service-mcp/core';
import {
  EdgeContext,
  KnowledgeEdge,
  KnowledgeEdges,
  RelationType,
  Weight,
} from '@service-mcp/plugin-memory/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { NodeId } from '../knowledge/schemas.js';

export const linkKnowledge = defineTool({
  name: 'graph_link_knowledge',
  title: 'Relate knowledge nodes',
  description:
    'States that one knowledge node influences, depends on, implements, contradicts or relates to another. Repeated, it changes weight and context.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      source_node_id: NodeId,
      target_node_id: NodeId,
      relation_type: RelationType,
      weight: Weight,
      context: Type.Optional(EdgeContext),
    },
    closed,
  ),
  output: KnowledgeEdge,
  effect: 'create',
  access: { scope: 'graph:write', role: 'member', in: 'workspace' },
  http: { method: 'POST', path: '/v1/graph/knowledge/edges' },
  text: ({ id, source_node_id, relation_type, target_node_id }) =>
    `${source_node_id} ${relation_type} ${target_node_id} (edge ${id})`,
  uses: { edges: KnowledgeEdges },
  handler: ({ workspace_id: _workspace, context = null, ...edge }, { edges }) =>
    edges.link({ ...edge, context }),
});
