import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { SessionPage } from '../schemas.js';
import { Logins } from '../services/logins.js';

export const listSessions = defineTool({
  name: 'auth_list_sessions',
  title: 'List logins',
  description:
    'Lists the logins of your account that have not ended, newest first: of browsers by their names, and of programs.',
  input: Type.Object({ ...paging }, closed),
  output: SessionPage,
  effect: 'read',
  access: { scope: 'auth:read', in: 'self' },
  http: { method: 'GET', path: '/v1/auth/sessions' },
  surfaces: ['rest', 'rpc'],
  uses: { logins: Logins },
  handler: (input, { logins }, { caller }) => logins.sessions(caller, input),
});
