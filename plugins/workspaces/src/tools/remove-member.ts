import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Deleted, MemberId } from '../schemas.js';
import { MemberRepository } from '../services/member-repository.js';

export const removeMember = defineTool({
  name: 'members_remove',
  title: 'Remove a member from a workspace',
  description:
    'Ends a membership: the person loses the workspace with the next call. A pending invitation is withdrawn. With your own user id you leave; the last owner cannot.',
  input: Type.Object({ workspace_id: WorkspaceId, user_id: MemberId }, closed),
  output: Deleted,
  effect: 'delete',
  access: {
    scope: 'workspaces:write',
    role: 'admin',
    in: { resource: 'workspace', id: 'workspace_id' },
    unlessSelf: 'user_id',
  },
  http: { method: 'DELETE', path: '/v1/workspaces/:workspace_id/members/:user_id' },
  uses: { members: MemberRepository },
  async handler({ user_id }, { members }) {
    return { id: await members.remove(user_id), deleted: true as const };
  },
});
