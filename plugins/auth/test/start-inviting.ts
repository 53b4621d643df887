import type { TestDatabase } from '@service-mcp/core/testing';
import { authHost, bearer, type AuthHost, type Login } from './support.js';

export interface Invitation {
  readonly id: string;
  readonly token: string;
  readonly link: string;
  readonly role: string | null;
  readonly workspace_id: string | null;
}

/** A host that people register at by invitation, with an administrator and their workspace. */
export interface InvitingHost {
  readonly host: AuthHost;
  readonly admin: Login;
  readonly workspace_id: string;
  readonly invite: (by: Login, more: object) => Promise<Invitation>;
  /** Registers a person whom `by`, default the administrator, invites to the workspace. */
  readonly join: (email: string, role: string, by?: Login) => Promise<Login>;
}

export async function startInviting(database: TestDatabase): Promise<InvitingHost> {
  const host = await authHost(database, {}, { server: { host: '0.0.0.0' } }); // makes registration `invite`
  const admin = await host.register('admin@example.com');
  const { id: workspace_id } = await host.as<{ id: string }>(bearer(admin), 'workspaces_create', {
    name: 'W',
  });
  const invite: InvitingHost['invite'] = (by, more) => host.as(bearer(by), 'auth_invite', more);
  return {
    host,
    admin,
    workspace_id,
    invite,
    async join(email, role, by = admin) {
      const { token } = await invite(by, { email, workspace_id, role });
      return host.register(email, { invitation: token });
    },
  };
}
