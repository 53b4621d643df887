import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { AccountWithLink, Email } from '../schemas.js';
import { operator } from './operator.js';

export const resetAccount = defineTool({
  name: 'auth_reset_account',
  title: 'Create a link to set a password',
  description:
    'Creates a link to set a new password for an account; it works once, for 24 hours. For the operator, on the machine of the deployment.',
  input: Type.Object({ email: Email }, closed),
  output: AccountWithLink,
  effect: 'update',
  ...operator,
  secretResult: true,
  handler: ({ email }, { accounts }) => accounts.reset(email),
});
