import { TimeOrDay, CallAdmission, closed, ServiceError, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { KnowledgeNode, KnowledgeNodes } from '../nodes.js';
import { ContentFrom, contentFrom } from '../content-from.js';
import { nodeText } from '../result-text.js';
import { NodeId, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';
import { NodeVersions } from '../services/node-versions.js';

export const getNode = defineTool({
  name: 'memory_get_node',
  title: 'Get a knowledge node',
  description: 'Returns one knowledge node. With as_of: as it was held true at that time.',
  input: Type.Object(
    {
      node_id: NodeId,
      as_of: Type.Optional(TimeOrDay('As it was then', 'within')),
      content_from: ContentFrom,
    },
    closed,
  ),
  output: KnowledgeNode,
  effect: 'read',
  access: { scope: 'memory:read', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'GET', path: '/v1/memory/nodes/:node_id' },
  text: nodeText,
  uses: { nodes: KnowledgeNodes, references: References, versions: NodeVersions, admission: CallAdmission },
  async handler({ node_id, as_of, content_from }, { nodes, references, versions, admission }) {
    const node = await nodes.get(node_id);
    if (as_of === undefined) {
      const [now = node] = await references.current([node]);
      return contentFrom(now, content_from);
    }
    const where = { workspaceIds: admission.workspaceIds, node_id };
    const { items } = await versions.asOf(utc(as_of), where, { page: 1, per_page: 1 });
    const [then] = items;
    if (!then)
      throw new ServiceError(
        'NOT_FOUND',
        `The node ${node_id} was not recorded yet, or not valid, at ${utc(as_of)}: memory_node_history has its versions.`,
      );
    return contentFrom(then, content_from);
  },
});
