import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { AccountPage } from '../schemas.js';
import { operator } from './operator.js';

export const listAccounts = defineTool({
  name: 'auth_list_accounts',
  title: 'List accounts',
  description:
    'Lists all accounts of the deployment, ordered by address. For the operator, on the machine of the deployment.',
  input: Type.Object({ ...paging }, closed),
  output: AccountPage,
  effect: 'read',
  ...operator,
  access: { scope: 'admin:read', in: 'administration' },
  handler: (input, { accounts }) => accounts.list(input),
});
