import { Type } from 'typebox';
import { closed, defineTool, paging } from '@service-mcp/core';
import { ConnectionPage } from '../schemas.js';
import { Logins } from '../services/logins.js';

export const listConnections = defineTool({
  name: 'auth_list_connections',
  title: 'List connected applications',
  description:
    'Lists the applications that you allowed to use your account, latest first, with their scopes and last use.',
  input: Type.Object({ ...paging }, closed),
  output: ConnectionPage,
  effect: 'read',
  access: { scope: 'auth:read', in: 'self' },
  http: { method: 'GET', path: '/v1/auth/connections' },
  surfaces: ['rest', 'rpc'],
  uses: { logins: Logins },
  handler: (input, { logins }, { caller }) => logins.connections(caller, input),
});
