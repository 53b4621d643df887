import { Type } from 'typebox';
import { PendingMemberships, closed, defineTool } from '@service-mcp/core';
import { Deleted, PendingId } from '../schemas.js';

export const declineInvitation = defineTool({
  name: 'members_decline',
  title: 'Decline an invitation to a workspace',
  description: 'Refuses an invitation to a workspace. Its admins can invite you again.',
  input: Type.Object({ membership_id: PendingId }, closed),
  output: Deleted,
  effect: 'delete',
  access: { scope: 'workspaces:write', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/invitations/:membership_id/decline' },
  uses: { pending: PendingMemberships },
  async handler({ membership_id }, { pending }, { caller }) {
    await pending.decline(caller, membership_id);
    return { id: membership_id, deleted: true as const };
  },
});
