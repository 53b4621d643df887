import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Email, Login, NewPassword, PersonName, Secret } from '../schemas.js';
import { Accounts } from '../services/accounts.js';
import { Sessions } from '../services/sessions.js';
import { beginLogin, peerOf } from './login-call.js';

export const register = defineTool({
  name: 'auth_register',
  title: 'Create an account',
  description:
    'Creates an account with an address and a password, and logs it in. Some deployments require an invitation.',
  input: Type.Object(
    {
      email: Email,
      password: NewPassword,
      name: PersonName,
      invitation: Type.Optional(Secret('Token of an invitation to this address')),
      setup_token: Type.Optional(
        Secret('Set-up token that serve prints, for the first account, which becomes administrator'),
      ),
    },
    closed,
  ),
  output: Login,
  effect: 'create',
  access: { scope: 'public', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/register' },
  surfaces: ['rest', 'rpc'],
  secretResult: true,
  uses: { accounts: Accounts, sessions: Sessions },
  handler({ setup_token: setupToken, ...input }, { accounts, sessions }, call) {
    const request = { ...input, peer: peerOf(call), ...(setupToken !== undefined && { setupToken }) };
    return beginLogin(call, sessions, accounts.register(request));
  },
});
