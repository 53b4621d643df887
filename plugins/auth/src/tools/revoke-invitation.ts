import { Type } from 'typebox';
import { closed, defineTool, inviterOf } from '@service-mcp/core';
import { InvitationId, Revoked } from '../schemas.js';
import { Invitations } from '../services/invitations.js';

export const revokeInvitation = defineTool({
  name: 'auth_revoke_invitation',
  title: 'Revoke an invitation',
  description: 'Revokes an invitation that was not accepted yet; its token becomes invalid.',
  input: Type.Object({ invitation_id: InvitationId }, closed),
  output: Revoked,
  effect: 'delete',
  access: { scope: 'auth:write', role: 'admin', in: { resource: 'invitation', id: 'invitation_id' } },
  http: { method: 'DELETE', path: '/v1/auth/invitations/:invitation_id' },
  surfaces: ['rest', 'rpc'],
  uses: { invitations: Invitations },
  async handler({ invitation_id }, { invitations }, { caller }) {
    await invitations.revoke(invitation_id, inviterOf(caller));
    return { id: invitation_id, revoked: true as const };
  },
});
