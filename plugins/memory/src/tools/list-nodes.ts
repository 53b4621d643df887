import {
  TimeOrDay,
  CallAdmission,
  IndexingStatusFilter,
  Page,
  closed,
  defineTool,
  invalidArgument,
  pageText,
  paging,
  storedStatus,
} from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { KnowledgeNode, KnowledgeNodes } from '../nodes.js';
import { nodeLine } from '../result-text.js';
import { NodeStatus, NodeType, ProjectId, Tags, utc } from '../schemas.js';
import { References } from '../services/code-refs.js';
import { NodeVersions } from '../services/node-versions.js';
import { withTags } from '../services/tags.js';

export const listNodes = defineTool({
  name: 'memory_list_nodes',
  title: 'List knowledge nodes',
  description:
    'Lists knowledge nodes, newest first: of one workspace, or of all that you may see. With as_of: what was held true then.',
  input: Type.Object(
    {
      workspace_id: Type.Optional(WorkspaceId),
      node_type: Type.Optional(NodeType),
      status: Type.Optional(NodeStatus),
      tags: Type.Optional({ ...Tags, description: 'Only those with all of these tags' }),
      project_id: Type.Optional(ProjectId),
      since: Type.Optional(TimeOrDay('Only those that are true since this time or later')),
      until: Type.Optional(TimeOrDay('Only those that are true since before this time', 'next')),
      as_of: Type.Optional(
        TimeOrDay('Only what was recorded and valid at this time, as it was then', 'within'),
      ),
      indexing_status: IndexingStatusFilter,
      ...paging,
    },
    closed,
  ),
  output: Page(KnowledgeNode),
  effect: 'read',
  access: { scope: 'memory:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/memory/nodes/workspace/:workspace_id', also: ['/v1/memory/nodes'] },
  text: (page) => pageText(page, nodeLine),
  uses: { nodes: KnowledgeNodes, references: References, versions: NodeVersions, admission: CallAdmission },
  async handler(
    { node_type, status, as_of, tags = [], project_id, since, until, indexing_status, page, per_page },
    { nodes, references, versions, admission },
  ) {
    const request = { page, per_page };
    const indexed = storedStatus(indexing_status);
    if (as_of === undefined) {
      const asked = { node_type, status, project_id, indexing_status: indexed };
      const found = await nodes.list(request, asked, (query) => {
        if (since !== undefined) void query.where('valid_from', '>=', utc(since));
        if (until !== undefined) void query.where('valid_from', '<', utc(until));
        withTags(query, 'memory_nodes', tags);
      });
      return { ...found, items: await references.current(found.items) };
    }
    const present = { indexing_status: indexed, tags: tags[0], project_id, since, until };
    const [unfit] = Object.entries(present).find(([, value]) => value !== undefined) ?? [];
    if (unfit !== undefined)
      throw invalidArgument(`/${unfit}`, 'is of the present: it does not go with as_of');
    const { workspaceIds } = admission;
    const where = { workspaceIds, ...(node_type && { node_type }), ...(status && { status }) };
    return versions.asOf(utc(as_of), where, request);
  },
});
