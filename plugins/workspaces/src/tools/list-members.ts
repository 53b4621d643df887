import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { MemberPage } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const listMembers = defineTool({
  name: 'members_list',
  title: 'List the members of a workspace',
  description:
    'Lists the members of a workspace and the people invited to it (status pending), oldest first, with their roles and the ids that the other members tools take.',
  input: Type.Object({ workspace_id: WorkspaceId, ...paging }, closed),
  output: MemberPage,
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id/members' },
  uses: { members: MemberRepository },
  handler: ({ workspace_id: _id, ...request }, { members }) => members.list(request),
});
