import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Member, MemberRole, MemberId } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const updateMember = defineTool({
  name: 'members_update',
  title: 'Change the role of a member',
  description:
    'Gives a member of a workspace, or a person invited to it, another role. Only an owner can make or change an owner, and the last one stays owner.',
  input: Type.Object({ workspace_id: WorkspaceId, user_id: MemberId, role: MemberRole }, closed),
  output: Member,
  effect: 'update',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'PATCH', path: '/v1/workspaces/:workspace_id/members/:user_id' },
  uses: { members: MemberRepository },
  handler: ({ user_id, role }, { members }) => members.changeRole(user_id, role),
});
