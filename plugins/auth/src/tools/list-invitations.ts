import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { InvitationPage, WorkspaceId } from '../schemas.js';
import { Invitations } from '../services/invitations.js';

export const listInvitations = defineTool({
  name: 'auth_list_invitations',
  title: 'List invitations',
  description:
    'Lists the invitations to a workspace, or for administrators all of the deployment, newest first, and whether they were accepted.',
  input: Type.Object({ workspace_id: Type.Optional(WorkspaceId), ...paging }, closed),
  output: InvitationPage,
  effect: 'read',
  access: { scope: 'auth:read', role: 'admin', in: 'administration' },
  http: { method: 'GET', path: '/v1/auth/invitations' },
  surfaces: ['rest', 'rpc'],
  uses: { invitations: Invitations },
  handler: (input, { invitations }) => invitations.list(input),
});
