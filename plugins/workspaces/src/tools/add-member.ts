import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Email, Member, MemberRole } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const addMember = defineTool({
  name: 'members_add',
  title: 'Add a member to a workspace',
  description:
    'Makes a person who has an account a member of a workspace; auth_invite is for those who have none. Only an owner can make another owner.',
  input: Type.Object({ workspace_id: WorkspaceId, email: Email, role: MemberRole }, closed),
  output: Member,
  effect: 'create',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'POST', path: '/v1/workspaces/:workspace_id/members' },
  uses: { members: MemberRepository },
  handler: ({ email, role }, { members }) => members.add({ email, role }),
});
