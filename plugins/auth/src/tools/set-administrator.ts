import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Account, Email } from '../schemas.js';
import { operator } from './operator.js';

export const setAdministrator = defineTool({
  name: 'auth_set_administrator',
  title: 'Grant or remove administrator rights',
  description:
    'Sets whether an account administers the deployment: invitations, the audit log. For the operator, on the machine of the deployment.',
  input: Type.Object(
    {
      email: Email,
      administrator: Type.Boolean({ description: 'True grants the rights, false removes them' }),
    },
    closed,
  ),
  output: Account,
  effect: 'update',
  ...operator,
  handler: ({ email, administrator }, { accounts }) => accounts.update({ email }, { administrator }),
});
