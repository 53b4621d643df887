import { TimeOrDay, closed, defineTool, invalidArgument, closedAs } from '@service-mcp/core';
import { redactedField } from '@service-mcp/plugin-secrets/contract';
import { Type } from 'typebox';
import { KnowledgeNode } from '../nodes.js';
import { nodeLine, redactedLine } from '../result-text.js';
import { Content, NodeId, Reason, Title, checkSizes, utc } from '../schemas.js';
import { NodeChanges } from '../services/node-changes.js';
import { Screening } from '../services/screening.js';

export const supersedeNode = defineTool({
  name: 'memory_supersede_node',
  title: 'Supersede a knowledge node',
  description:
    'Replaces a node, which ends and stays readable as of its time. Name an existing node, or give title and content of a new one.',
  input: Type.Object(
    {
      node_id: NodeId,
      superseded_by: Type.Optional({ ...NodeId, description: 'Existing node that takes its place' }),
      title: Type.Optional(Title),
      content: Type.Optional(Content),
      valid_from: Type.Optional(TimeOrDay('Since when it is true; default: now')),
      reason: Type.Optional(Reason),
    },
    closed,
  ),
  output: Type.Object(
    { old: KnowledgeNode, new: KnowledgeNode, ...redactedField },
    closedAs('SupersededNode'),
  ),
  effect: 'update',
  destructive: false,
  level: 'standard',
  access: { scope: 'memory:write', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'POST', path: '/v1/memory/nodes/:node_id/supersede' },
  text: (pair) =>
    `Superseded: ${nodeLine(pair.old)}\nBy: ${nodeLine(pair.new)}${redactedLine(pair.redacted)}`,
  uses: { changes: NodeChanges, screening: Screening },
  async handler({ node_id, superseded_by, valid_from, ...given }, { changes, screening }) {
    checkSizes(given);
    const { values, redacted } = screening.screen(given);
    const { title, content, reason } = values;
    if (superseded_by !== undefined) {
      if (title !== undefined || content !== undefined || valid_from !== undefined)
        throw invalidArgument(
          '/superseded_by',
          'name an existing node or give title, content and valid_from of a new one, not both',
        );
      return { ...(await changes.supersede(node_id, { id: superseded_by }, reason)), ...redacted };
    }
    if (title === undefined || content === undefined)
      throw invalidArgument(
        '/superseded_by',
        'name an existing node, or give a title and content of a new one',
      );
    const successor = { title, content, ...(valid_from !== undefined && { valid_from: utc(valid_from) }) };
    return { ...(await changes.supersede(node_id, successor, reason)), ...redacted };
  },
});
