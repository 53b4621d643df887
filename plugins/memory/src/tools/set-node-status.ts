import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { StoredKnowledgeNode } from '../nodes.js';
import { nodeLine, redactedLine } from '../result-text.js';
import { NodeId, Reason } from '../schemas.js';
import { NodeChanges } from '../services/node-changes.js';
import { Screening } from '../services/screening.js';

export const setNodeStatus = defineTool({
  name: 'memory_set_node_status',
  title: 'Set the status of a knowledge node',
  description: 'Marks a knowledge node as verified, as disputed, or as active again.',
  input: Type.Object(
    {
      node_id: NodeId,
      status: Type.Enum(['active', 'disputed', 'verified'], { description: 'Status' }),
      reason: Type.Optional(Reason),
    },
    closed,
  ),
  output: StoredKnowledgeNode,
  effect: 'update',
  destructive: false,
  access: { scope: 'memory:write', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'POST', path: '/v1/memory/nodes/:node_id/status' },
  text: ({ redacted, ...node }) => nodeLine(node) + redactedLine(redacted),
  uses: { changes: NodeChanges, screening: Screening },
  async handler({ node_id, status, ...given }, { changes, screening }) {
    const { values, redacted } = screening.screen(given);
    return { ...(await changes.setStatus(node_id, status, values.reason)), ...redacted };
  },
});
