import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Email, Login, Password } from '../schemas.js';
import { Accounts } from '../services/accounts.js';
import { sessionCaller } from '../services/session-caller.js';
import { Sessions } from '../services/sessions.js';
import { accountView } from './account-view.js';
import { peerOf, withLoginRate } from './login-rate.js';

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
  async handler(input, { accounts, sessions }, call) {
    const account = await withLoginRate(call, accounts.login({ ...input, peer: peerOf(call) }));
    const { sessionId, tokens } = await sessions.begin(account);
    call.remark?.({ caller: sessionCaller(account, sessionId) });
    return { user: accountView(account), ...tokens };
  },
});
