import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Account, Email } from '../schemas.js';
import { operator } from './operator.js';

export const enableAccount = defineTool({
  name: 'auth_enable_account',
  title: 'Enable an account',
  description:
    'Enables a disabled account: it can log in, and its keys work again. For the operator, on the machine of the deployment.',
  input: Type.Object({ email: Email }, closed),
  output: Account,
  effect: 'update',
  ...operator,
  handler: ({ email }, { accounts }) => accounts.update({ email }, { disabled: false }),
});
