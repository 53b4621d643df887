import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { AccountPage } from '../schemas.js';
import { AccountAdministration } from '../services/account-administration.js';

export const listAccounts = defineTool({
  name: 'auth_list_accounts',
  title: 'List accounts',
  description: 'Lists the accounts of the deployment, ordered by address. For administrators.',
  input: Type.Object(
    {
      query: Type.String({
        maxLength: 200,
        default: '',
        description: 'Part of the address or the name; empty: all accounts',
      }),
      ...paging,
    },
    closed,
  ),
  output: AccountPage,
  effect: 'read',
  access: { scope: 'admin:read', in: 'administration' },
  http: { method: 'GET', path: '/v1/auth/accounts' },
  uses: { accounts: AccountAdministration },
  handler: (input, { accounts }) => accounts.list(input),
});
