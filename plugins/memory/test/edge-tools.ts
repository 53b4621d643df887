import { Page, closed, definePlugin, defineTool, paging } from '@service-mcp/core';
import {
  EdgeContext,
  KnowledgeEdge,
  KnowledgeEdges,
  RelationType,
  Weight,
  edgeOwner,
} from '@service-mcp/plugin-memory/contract';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';

const optional = Type.Optional;
const inWorkspace = { scope: 'memory:write', in: 'workspace' } as const;
const uses = { edges: KnowledgeEdges };
const Text = Type.String({ description: 'An id' });
const Ids = Type.Array(Text, { description: 'Ids' });
const Related = Type.Pick(KnowledgeEdge, ['source_node_id', 'target_node_id', 'relation_type', 'weight']);

/** Tools over the contract of memory, as another plugin has them. */
export const edgeTools = definePlugin({
  id: 'edges',
  description: 'Tries the edges of memory.',
  api: '^1',
  requires: ['memory'],
  services: [edgeOwner('edges_list')],
  toolsets: [
    {
      id: 'edges',
      description: 'Tries the edges of memory.',
      tools: [
        defineTool({
          name: 'edges_link',
          title: 'Link',
          description: 'Relates two nodes.',
          input: Type.Object(
            {
              workspace_id: WorkspaceId,
              source_node_id: Text,
              target_node_id: Text,
              relation_type: RelationType,
              weight: Weight,
              context: optional(EdgeContext),
            },
            closed,
          ),
          output: KnowledgeEdge,
          effect: 'create',
          access: inWorkspace,
          uses,
          handler: ({ workspace_id: _workspace, context = null, ...edge }, { edges }) =>
            edges.link({ ...edge, context }),
        }),
        defineTool({
          name: 'edges_list',
          title: 'List',
          description: 'Lists the edges of a node.',
          input: Type.Object({ workspace_id: WorkspaceId, node_id: Text, ...paging }, closed),
          output: Page(KnowledgeEdge),
          effect: 'read',
          access: inWorkspace,
          uses,
          handler: ({ node_id, ...page }, { edges }) => edges.list(node_id, page),
        }),
        defineTool({
          name: 'edges_unlink',
          title: 'Unlink',
          description: 'Removes an edge.',
          input: Type.Object({ edge_id: Text }, closed),
          output: KnowledgeEdge,
          effect: 'delete',
          access: { scope: 'memory:write', in: { resource: 'edge', id: 'edge_id' } },
          uses,
          handler: ({ edge_id }, { edges }) => edges.unlink(edge_id),
        }),
        defineTool({
          name: 'edges_neighbours',
          title: 'Neighbours',
          description: 'One step from some nodes.',
          input: Type.Object(
            {
              workspace_id: WorkspaceId,
              ids: Ids,
              types: optional(Type.Array(RelationType, { description: 'Which' })),
              limit: optional(Type.Integer({ description: 'How many' })),
            },
            closed,
          ),
          output: Type.Object({ relations: Type.Array(Related) }, closed),
          effect: 'read',
          access: inWorkspace,
          uses,
          handler: async ({ ids, types, limit = 100 }, { edges }) => ({
            relations: await edges.neighbours(ids, { limit, ...(types && { relationTypes: types }) }),
          }),
        }),
        defineTool({
          name: 'edges_contradictions',
          title: 'Contradictions',
          description: 'Nodes that contradict these.',
          input: Type.Object({ workspace_id: WorkspaceId, ids: Ids }, closed),
          output: Type.Object({ relations: Type.Array(Related) }, closed),
          effect: 'read',
          access: inWorkspace,
          uses,
          handler: async ({ ids }, { edges }) => ({ relations: await edges.contradictions(ids, 100) }),
        }),
      ],
    },
  ],
});
