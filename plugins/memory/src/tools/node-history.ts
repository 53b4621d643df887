import { Page, Timestamp, closed, defineTool, nullable, pageText, paging, closedAs } from '@service-mcp/core';
import { Type } from 'typebox';
import { KnowledgeNode } from '../nodes.js';
import { versionText } from '../result-text.js';
import { NodeId } from '../schemas.js';
import { NodeVersions } from '../services/node-versions.js';

const Version = Type.Object(
  {
    version: Type.Integer(),
    recorded_at: Timestamp,
    recorded_by: Type.String(),
    reason: nullable(Type.String()),
    node: KnowledgeNode,
  },
  closedAs('KnowledgeNodeVersion'),
);

export const nodeHistory = defineTool({
  name: 'memory_node_history',
  title: 'History of a knowledge node',
  description:
    'Lists every version of a knowledge node, newest first: what was recorded, when, by whom and why.',
  input: Type.Object({ node_id: NodeId, ...paging }, closed),
  output: Page(Version),
  effect: 'read',
  access: { scope: 'memory:read', in: { resource: 'node', id: 'node_id' } },
  http: { method: 'GET', path: '/v1/memory/nodes/:node_id/history' },
  text: (page) => pageText(page, versionText),
  uses: { versions: NodeVersions },
  handler: ({ node_id, ...request }, { versions }) => versions.history(node_id, request),
});
