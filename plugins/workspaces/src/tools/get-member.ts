import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Member, MemberId } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const getMember = defineTool({
  name: 'members_get',
  title: 'Get a member of a workspace',
  description: 'Shows one member of a workspace, or a person invited to it: address, name, role and status.',
  input: Type.Object({ workspace_id: WorkspaceId, user_id: MemberId }, closed),
  output: Member,
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id/members/:user_id' },
  uses: { members: MemberRepository },
  handler: ({ user_id }, { members }) => members.get(user_id),
});
