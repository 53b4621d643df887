import { Type } from 'typebox';
import { closed, defineTool, invalidArgument, closedAs } from '@service-mcp/core';
import { Secret } from '../schemas.js';
import { Sessions } from '../services/sessions.js';

export const logout = defineTool({
  name: 'auth_logout',
  title: 'Log out',
  description:
    'Ends a session and its tokens: the session of the given refresh token, or else the current one.',
  input: Type.Object({ refresh_token: Type.Optional(Secret('Refresh token of the session to end')) }, closed),
  output: Type.Object({ revoked: Type.Literal(true) }, closedAs('LoggedOut')),
  effect: 'delete',
  access: { scope: 'authenticated', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/logout' },
  surfaces: ['rest', 'rpc'],
  uses: { sessions: Sessions },
  async handler({ refresh_token: refreshToken }, { sessions }, { caller }) {
    const sessionId = caller.kind === 'session' ? caller.credentialId : undefined;
    if (refreshToken !== undefined) await sessions.end({ refreshToken });
    else if (sessionId !== undefined) await sessions.end({ sessionId });
    else {
      throw invalidArgument(
        '/refresh_token',
        'is required, because your credential is not a session (revoke an API key with auth_revoke_api_key)',
      );
    }
    return { revoked: true as const };
  },
});
