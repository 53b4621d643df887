import { Type } from 'typebox';
import { PendingMemberships, closed, defineTool, oneLine, pageText, paging } from '@service-mcp/core';
import { InvitedPage } from '../schemas.js';

export const listInvitations = defineTool({
  name: 'members_list_invitations',
  title: 'List invitations to workspaces',
  description:
    'Lists the workspaces that others invited you to, newest first: members_accept joins one, members_decline refuses it.',
  input: Type.Object({ ...paging }, closed),
  output: InvitedPage,
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'self' },
  http: { method: 'GET', path: '/v1/auth/invitations/mine' },
  text: (output) =>
    pageText(output, ({ id, workspace, role, invited_by }) =>
      [id, oneLine(workspace.name), role, invited_by && `invited by ${invited_by}`]
        .filter(Boolean)
        .join('; '),
    ),
  uses: { pending: PendingMemberships },
  handler: (input, { pending }, { caller }) => pending.of(caller, input),
});
