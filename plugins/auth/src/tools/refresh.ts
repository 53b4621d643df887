import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Secret, Tokens } from '../schemas.js';
import { Sessions, sessionCaller } from '../services/sessions.js';

export const refresh = defineTool({
  name: 'auth_refresh',
  title: 'Refresh a session',
  description:
    'Exchanges a refresh token for a new pair of tokens. A refresh token works once; reuse ends the session.',
  input: Type.Object({ refresh_token: Secret('Refresh token of the session') }, closed),
  output: Tokens,
  effect: 'update',
  access: { scope: 'public', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/refresh' },
  surfaces: ['rest', 'rpc'],
  secretResult: true,
  uses: { sessions: Sessions },
  async handler({ refresh_token }, { sessions }, call) {
    const { user, sessionId, tokens } = await sessions.refresh(refresh_token);
    call.remark?.({ caller: sessionCaller(user, sessionId) });
    return tokens;
  },
});
