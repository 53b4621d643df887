import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Account, Email } from '../schemas.js';
import { operator } from './operator.js';

export const disableAccount = defineTool({
  name: 'auth_disable_account',
  title: 'Disable an account',
  description:
    'Ends every session and grant of an account and rejects its keys until it is enabled again. For the operator, on the machine of the deployment.',
  input: Type.Object({ email: Email }, closed),
  output: Account,
  effect: 'update',
  ...operator,
  handler: ({ email }, { accounts }) => accounts.update({ email }, { disabled: true }),
});
