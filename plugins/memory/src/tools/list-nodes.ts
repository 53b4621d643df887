import {
  CallAdmission,
  Page,
  closed,
  defineTool,
  invalidArgument,
  pageText,
  paging,
} from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { KnowledgeNode, KnowledgeNodes } from '../nodes.js';
import { nodeLine } from '../result-text.js';
import { IndexingStatus, NodeStatus, NodeType, Time, storedStatus, utc } from '../schemas.js';
import { NodeVersions } from '../services/node-versions.js';

export const listNodes = defineTool({
  name: 'memory_list_nodes',
  title: 'List knowledge nodes',
  description:
    'Lists knowledge nodes, newest first: of one workspace, or of all that you may see. With as_of: what was held true at that time.',
  input: Type.Object(
    {
      workspace_id: Type.Optional(WorkspaceId),
      node_type: Type.Optional(NodeType),
      status: Type.Optional(NodeStatus),
      as_of: Type.Optional(Time('Only what was recorded and valid at this time, as it was then')),
      indexing_status: IndexingStatus,
      ...paging,
    },
    closed,
  ),
  output: Page(KnowledgeNode),
  effect: 'read',
  access: { scope: 'memory:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/memory/nodes/workspace/:workspace_id', also: ['/v1/memory/nodes'] },
  text: (page) => pageText(page, nodeLine),
  uses: { nodes: KnowledgeNodes, versions: NodeVersions, admission: CallAdmission },
  async handler(
    { node_type, status, as_of, indexing_status, page, per_page },
    { nodes, versions, admission },
  ) {
    const request = { page, per_page };
    const indexed = storedStatus(indexing_status);
    if (as_of === undefined) return nodes.list(request, { node_type, status, indexing_status: indexed });
    if (indexed !== undefined)
      throw invalidArgument('/indexing_status', 'is of the present: it does not go with as_of');
    const { workspaceIds } = admission;
    const where = { workspaceIds, ...(node_type && { node_type }), ...(status && { status }) };
    return versions.asOf(utc(as_of), where, request);
  },
});
