import { closed, defineTool, closedAs, requireScope } from '@service-mcp/core';
import { RelationType } from '@service-mcp/plugin-memory/contract';
import { Type } from 'typebox';
import { RelatedKnowledge } from '../knowledge/related-knowledge.js';
import { NodeId, RelatedEdge, RelatedNode } from '../knowledge/schemas.js';
import { relatedText } from '../knowledge/text.js';

export const relatedKnowledgeTool = defineTool({
  name: 'graph_related_knowledge',
  title: 'Related knowledge',
  description:
    'Finds the knowledge nodes around one: by stated relations, over several steps, by meaning, by shared code, and those that contradict it.',
  input: Type.Object(
    {
      node_id: NodeId,
      relation_types: Type.Optional(
        Type.Array(RelationType, {
          minItems: 1,
          maxItems: 6,
          uniqueItems: true,
          description: 'Follow only these',
        }),
      ),
      max_depth: Type.Integer({ minimum: 1, maximum: 5, default: 2, description: 'Max steps' }),
      include_semantic: Type.Boolean({ default: true, description: 'Also nodes of similar meaning' }),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Max nodes' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      nodes: Type.Array(RelatedNode),
      edges: Type.Array(RelatedEdge),
      total: Type.Integer({ description: 'Nodes that were found' }),
      truncated: Type.Boolean({ description: 'More nodes were found than are shown' }),
    },
    closedAs('RelatedKnowledge'),
  ),
  effect: 'read',
  level: 'standard',
  access: { scope: 'graph:read', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'POST', path: '/v1/graph/knowledge/related' },
  text: (answer, { node_id }) => relatedText(answer, node_id),
  uses: { related: RelatedKnowledge },
  async handler({ relation_types, ...request }, { related }, { caller, signal }) {
    requireScope(caller, 'memory:read', 'What is around a knowledge node');
    const { nodes, edges, total } = await related.find(
      { ...request, ...(relation_types && { relation_types }) },
      signal,
    );
    return { nodes, edges, total, truncated: total > nodes.length };
  },
});
