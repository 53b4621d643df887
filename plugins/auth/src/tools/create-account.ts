import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { AccountWithLink, Email, PersonName } from '../schemas.js';
import { operator } from './operator.js';

export const createAccount = defineTool({
  name: 'auth_create_account',
  title: 'Create an account for a person',
  description:
    'Creates an account without a password, and a link to set one that works once. For the operator, on the machine of the deployment.',
  input: Type.Object(
    {
      email: Email,
      name: PersonName,
      administrator: Type.Boolean({
        description: 'Whether the account can administer the deployment',
        default: false,
      }),
    },
    closed,
  ),
  output: AccountWithLink,
  effect: 'create',
  ...operator,
  secretResult: true,
  handler: (input, { accounts }) => accounts.create(input),
});
