import { Type } from 'typebox';
import { PendingMemberships, closed, defineTool } from '@service-mcp/core';
import { Member, PendingId } from '../schemas.js';

export const acceptInvitation = defineTool({
  name: 'members_accept',
  title: 'Accept an invitation to a workspace',
  description:
    'Makes you a member of a workspace that somebody invited you to, with the role of the invitation.',
  input: Type.Object({ membership_id: PendingId }, closed),
  output: Member,
  effect: 'update',
  access: { scope: 'workspaces:write', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/invitations/:membership_id/accept' },
  uses: { pending: PendingMemberships },
  handler: ({ membership_id }, { pending }, { caller }) => pending.accept(caller, membership_id),
});
