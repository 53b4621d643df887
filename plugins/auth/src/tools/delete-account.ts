import { Type } from 'typebox';
import { closed, closedAs, defineTool } from '@service-mcp/core';
import { AccountId } from '../schemas.js';
import { AccountAdministration } from '../services/account-administration.js';

export const deleteAccount = defineTool({
  name: 'auth_delete_account',
  title: 'Delete an account',
  description:
    'Deletes an account for good, with its address, name, logins, keys and memberships. What it wrote in workspaces stays. For administrators.',
  input: Type.Object(
    {
      account_id: AccountId,
      delete_workspaces: Type.Boolean({
        description: 'Also delete the workspaces in which it is the only member',
        default: false,
      }),
    },
    closed,
  ),
  output: Type.Object(
    { id: Type.String({ description: 'Account id' }), deleted: Type.Literal(true) },
    closedAs('DeletedAccount'),
  ),
  effect: 'delete',
  access: { scope: 'admin:write', in: 'administration' },
  http: { method: 'DELETE', path: '/v1/auth/accounts/:account_id' },
  uses: { accounts: AccountAdministration },
  async handler({ account_id: id, delete_workspaces: deleteWorkspaces }, { accounts }, { caller }) {
    await accounts.delete(id, { deleteWorkspaces }, caller.kind === 'owner' ? undefined : caller.userId);
    return { id, deleted: true as const };
  },
});
