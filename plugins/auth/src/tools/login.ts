import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Email, Login, Password } from '../schemas.js';
import { Accounts } from '../services/accounts.js';
import { Sessions } from '../services/sessions.js';
import { beginLogin, peerOf } from './login-call.js';

export const login = defineTool({
  name: 'auth_login',
  title: 'Log in',
  description: 'Starts a session with address and password, and returns its access and refresh tokens.',
  input: Type.Object({ email: Email, password: Password }, closed),
  output: Login,
  effect: 'update',
  access: { scope: 'public', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/login' },
  surfaces: ['rest', 'rpc'],
  secretResult: true,
  uses: { accounts: Accounts, sessions: Sessions },
  handler: (input, { accounts, sessions }, call) =>
    beginLogin(call, sessions, accounts.login({ ...input, peer: peerOf(call) })),
});
