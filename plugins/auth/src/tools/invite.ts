import { Type } from 'typebox';
import { ServiceError, closed, defineTool, invalidArgument, inviterOf, roleAtLeast } from '@service-mcp/core';
import { Email, NewInvitation, Role, WorkspaceId } from '../schemas.js';
import { Accounts } from '../services/accounts.js';
import { Invitations } from '../services/invitations.js';

export const invite = defineTool({
  name: 'auth_invite',
  title: 'Invite a person',
  description:
    'Creates an invitation for an e-mail address, to the deployment or to a workspace with a role up to your own. The token is shown once.',
  input: Type.Object(
    { email: Email, workspace_id: Type.Optional(WorkspaceId), role: Type.Optional(Role) },
    closed,
  ),
  output: NewInvitation,
  effect: 'create',
  access: { scope: 'auth:write', role: 'admin', in: 'administration' },
  http: { method: 'POST', path: '/v1/auth/invitations' },
  surfaces: ['rest', 'rpc', 'cli'],
  secretResult: true,
  uses: { accounts: Accounts, invitations: Invitations },
  async handler({ email, workspace_id, role: requested }, { accounts, invitations }, { caller, admission }) {
    const invited_by = inviterOf(caller);
    if (workspace_id === undefined) {
      if (requested !== undefined)
        throw invalidArgument('/role', 'applies to a workspace: set workspace_id too');
      if (accounts.isClosed) throw registrationClosed();
      return invitations.create({ email, workspace_id: null, role: null, invited_by });
    }
    const role = requested ?? 'member';
    const own = admission.workspaces.get(workspace_id);
    if (own === undefined || !roleAtLeast(own, role)) {
      throw new ServiceError(
        'PERMISSION_DENIED',
        `You cannot invite as ${role}, which is above your own role. Choose a lower role, or ask a member with that role.`,
        { details: { role: own, needed: role } },
      );
    }
    return invitations.create({ email, workspace_id, role, invited_by });
  },
});

function registrationClosed(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'Registration is closed here, with an invitation too. The operator makes accounts: service-mcp accounts create EMAIL.',
    { details: { reason: 'registration_closed' } },
  );
}
