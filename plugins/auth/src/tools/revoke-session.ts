import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Revoked, SessionId } from '../schemas.js';
import { Logins } from '../services/logins.js';

export const revokeSession = defineTool({
  name: 'auth_revoke_session',
  title: 'End a login',
  description:
    'Ends one login of your account, from the next request on. API keys and connected applications stay.',
  input: Type.Object({ session_id: SessionId }, closed),
  output: Revoked,
  effect: 'delete',
  access: { scope: 'auth:write', in: 'self' },
  http: { method: 'DELETE', path: '/v1/auth/sessions/:session_id' },
  surfaces: ['rest', 'rpc'],
  uses: { logins: Logins },
  async handler({ session_id: id }, { logins }, { caller }) {
    await logins.endSession(caller, id);
    return { id, revoked: true as const };
  },
});
