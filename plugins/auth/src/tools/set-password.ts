import { Type } from 'typebox';
import { ServiceError, closed, defineTool, invalidArgument, closedAs } from '@service-mcp/core';
import { NewPassword, Password, Secret } from '../schemas.js';
import { Accounts } from '../services/accounts.js';
import { sessionCaller } from '../services/sessions.js';
import { peerOf, withLoginRate } from './login-call.js';

export const setPassword = defineTool({
  name: 'auth_password',
  title: 'Set a new password',
  description:
    'Sets a new password with the current one (authenticated) or with a reset token (without a credential). Ends every other session.',
  input: Type.Object(
    {
      current_password: Type.Optional(Password),
      reset_token: Type.Optional(Secret('Token of a link to set a password')),
      new_password: NewPassword,
    },
    closed,
  ),
  output: Type.Object({ changed: Type.Literal(true) }, closedAs('PasswordChanged')),
  effect: 'update',
  access: { scope: 'public', in: 'self' },
  http: { method: 'POST', path: '/v1/auth/password' },
  surfaces: ['rest', 'rpc'],
  uses: { accounts: Accounts },
  async handler(input, { accounts }, call) {
    const { current_password: currentPassword, reset_token: resetToken, new_password: newPassword } = input;
    const { kind, userId, credentialId } = call.caller;
    const peer = peerOf(call);
    if ((currentPassword === undefined) === (resetToken === undefined)) {
      throw invalidArgument('/current_password', 'set either it or reset_token');
    }
    if (resetToken !== undefined) {
      const account = await withLoginRate(call, accounts.setPassword({ resetToken, newPassword, peer }));
      call.remark?.({ caller: sessionCaller(account) });
    } else if (currentPassword !== undefined) {
      if (kind === 'anonymous') {
        throw new ServiceError(
          'UNAUTHENTICATED',
          'Changing a password with the current one needs a credential. Log in, or use a reset token.',
        );
      }
      const keep = kind === 'session' && credentialId !== undefined ? { keep: credentialId } : {};
      await withLoginRate(
        call,
        accounts.setPassword({ userId, currentPassword, newPassword, peer, ...keep }),
      );
    }
    return { changed: true as const };
  },
});
