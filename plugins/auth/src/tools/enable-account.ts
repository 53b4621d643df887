import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Account, Email } from '../schemas.js';
import { AccountAdministration } from '../services/account-administration.js';

export const enableAccount = defineTool({
  name: 'auth_enable_account',
  title: 'Enable an account',
  description:
    'Lets a disabled account log in again; its keys work again. For the operator of the deployment, on its own machine.',
  input: Type.Object({ email: Email }, closed),
  output: Account,
  effect: 'update',
  access: { scope: 'admin:write', in: 'administration' },
  surfaces: ['cli'],
  uses: { accounts: AccountAdministration },
  handler: ({ email }, { accounts }) => accounts.setDisabled(email, false),
});
