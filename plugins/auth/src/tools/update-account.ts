import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Account, AccountId } from '../schemas.js';
import { AccountAdministration } from '../services/account-administration.js';

export const updateAccount = defineTool({
  name: 'auth_update_account',
  title: 'Change an account',
  description:
    'Disables or enables an account, or makes it an administrator or not. Disabling ends its logins and blocks its keys until it is enabled. For administrators.',
  input: Type.Object(
    {
      account_id: AccountId,
      disabled: Type.Optional(Type.Boolean({ description: 'True ends its logins and blocks its keys' })),
      administrator: Type.Optional(Type.Boolean({ description: 'Whether it administers the deployment' })),
    },
    closed,
  ),
  output: Account,
  effect: 'update',
  access: { scope: 'admin:write', in: 'administration' },
  http: { method: 'PATCH', path: '/v1/auth/accounts/:account_id' },
  uses: { accounts: AccountAdministration },
  // The operator may close the last account of a deployment; by the network nobody locks everyone out.
  handler: ({ account_id: id, ...changes }, { accounts }, { caller }) =>
    accounts.update({ id }, changes, caller.kind === 'owner' ? undefined : caller.userId),
});
