import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Email, Member, MemberRole } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const addMember = defineTool({
  name: 'members_add',
  title: 'Invite a member to a workspace',
  description:
    'Invites a person to a workspace by e-mail address: a member with status pending, without access until they accept. Where registration needs an invitation, people without an account also need one of the deployment: POST /v1/auth/invitations. Only an owner can invite an owner.',
  input: Type.Object({ workspace_id: WorkspaceId, email: Email, role: MemberRole }, closed),
  output: Member,
  effect: 'create',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'POST', path: '/v1/workspaces/:workspace_id/members' },
  uses: { members: MemberRepository },
  handler: ({ email, role }, { members }) => members.add({ email, role }),
});
