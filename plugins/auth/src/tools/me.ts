import { Type } from 'typebox';
import { LOCAL_OWNER, Memberships, closed, defineTool, optional, type Caller } from '@service-mcp/core';
import { Me } from '../schemas.js';
import { accountView } from '../services/account-store.js';
import { Accounts } from '../services/accounts.js';

export const me = defineTool({
  name: 'auth_me',
  title: 'Show the current account',
  description:
    'Shows your account, your workspaces with the role in each, and the permissions of your credential.',
  input: Type.Object({}, closed),
  output: Me,
  effect: 'read',
  access: { scope: 'authenticated', in: 'self' },
  http: { method: 'GET', path: '/v1/auth/me' },
  uses: { accounts: Accounts, memberships: optional(Memberships) },
  async handler(_input, { accounts, memberships }, { caller }) {
    const account = await accounts.byId(caller.userId);
    const workspaces = (await memberships?.named(caller)) ?? [];
    return {
      ...(account ? accountView(account) : NO_ACCOUNT),
      ...(caller.administrator && { administrator: true as const }),
      workspaces: workspaces.map(({ id, name, role }) => ({ id, name, role })),
      credential: credentialOf(caller),
    };
  },
});

/** The local owner before the first run creates their account. */
const NO_ACCOUNT = {
  id: LOCAL_OWNER.userId,
  email: 'owner@localhost',
  name: LOCAL_OWNER.name,
  created_at: new Date(0).toISOString(),
};

function credentialOf({ kind, scopes, credentialId, workspaceId }: Caller) {
  return {
    kind: kind === 'anonymous' ? ('owner' as const) : kind,
    scopes: [...scopes],
    ...(kind === 'api_key' && credentialId !== undefined && { key_id: credentialId }),
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
  };
}
