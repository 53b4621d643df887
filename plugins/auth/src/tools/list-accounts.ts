import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { AccountPage } from '../schemas.js';
import { AccountAdministration } from '../services/account-administration.js';

export const listAccounts = defineTool({
  name: 'auth_list_accounts',
  title: 'List accounts',
  description:
    'Lists all accounts of the deployment, ordered by address. For the operator, on the machine of the deployment.',
  input: Type.Object({ ...paging }, closed),
  output: AccountPage,
  effect: 'read',
  access: { scope: 'admin:read', in: 'administration' },
  surfaces: ['cli'],
  uses: { accounts: AccountAdministration },
  handler: (input, { accounts }) => accounts.list(input),
});
