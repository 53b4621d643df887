import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { KnowledgeNodes } from '../nodes.js';
import { Deleted, NodeId } from '../schemas.js';

export const deleteNode = defineTool({
  name: 'memory_delete_node',
  title: 'Delete a knowledge node',
  description:
    'Deletes one knowledge node with all its versions. To keep what was held true before, call memory_supersede_node instead.',
  input: Type.Object({ node_id: NodeId }, closed),
  output: Deleted,
  effect: 'delete',
  access: { scope: 'memory:write', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'DELETE', path: '/v1/memory/nodes/:node_id' },
  uses: { nodes: KnowledgeNodes },
  async handler({ node_id }, { nodes }) {
    const { id } = await nodes.remove(node_id, 'memory.node.deleted');
    return { id, deleted: true as const };
  },
});
