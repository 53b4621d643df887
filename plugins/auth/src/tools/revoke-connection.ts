import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { ConnectionId, Revoked } from '../schemas.js';
import { Logins } from '../services/logins.js';

export const revokeConnection = defineTool({
  name: 'auth_revoke_connection',
  title: 'Disconnect an application',
  description:
    'Disconnects an application: all of its tokens end at once, and it has to ask for your consent again.',
  input: Type.Object({ connection_id: ConnectionId }, closed),
  output: Revoked,
  effect: 'delete',
  access: { scope: 'auth:write', in: 'self' },
  http: { method: 'DELETE', path: '/v1/auth/connections/:connection_id' },
  surfaces: ['rest', 'rpc'],
  uses: { logins: Logins },
  async handler({ connection_id: id }, { logins }, { caller }) {
    await logins.disconnect(caller, id);
    return { id, revoked: true as const };
  },
});
