import { Type } from 'typebox';
import {
  ServiceError,
  WorkspaceId,
  closed,
  defineTool,
  invalidArgument,
  roleAtLeast,
} from '@service-mcp/core';
import { Email, NewInvitation, Role } from '../schemas.js';
import { Invitations } from '../services/invitations.js';

export const invite = defineTool({
  name: 'auth_invite',
  title: 'Invite a person',
  description:
    'Makes an invitation for an address, its token shown this once: to the deployment, or to a workspace with a role, never above your own.',
  input: Type.Object(
    {
      email: Email,
      workspace_id: Type.Optional(WorkspaceId),
      role: Type.Optional(Role),
    },
    closed,
  ),
  output: NewInvitation,
  effect: 'create',
  access: { scope: 'auth:write', role: 'admin', in: 'administration' },
  http: { method: 'POST', path: '/v1/auth/invitations' },
  surfaces: ['rest', 'rpc'],
  secretResult: true,
  uses: { invitations: Invitations },
  async handler({ email, workspace_id: workspaceId, role: asked }, { invitations }, { caller, admission }) {
    const invitedBy = caller.userId;
    if (workspaceId === undefined) {
      if (asked !== undefined) throw invalidArgument('/role', 'is for a workspace: give workspace_id too');
      const made = await invitations.create({ email, workspaceId: null, role: null, invitedBy });
      return { ...made.invitation, token: made.token };
    }
    const role = asked ?? 'member';
    const own = admission.workspaces.get(workspaceId);
    if (own === undefined || !roleAtLeast(own, role)) {
      throw new ServiceError(
        'PERMISSION_DENIED',
        `You cannot invite as ${role}: that is above your own role.`,
        {
          details: { role: own, needed: role },
        },
      );
    }
    const made = await invitations.create({ email, workspaceId, role, invitedBy });
    return { ...made.invitation, token: made.token };
  },
});
