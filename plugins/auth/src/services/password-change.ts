import { ServiceError, type Clock, type Database } from '@service-mcp/core';
import { findUser, toProvenAccount, type UserRow } from './account-store.js';
import type { Accounts } from './accounts.js';
import type { LoginThrottle } from './login-throttle.js';
import type { Passwords } from './passwords.js';
import { findReset, spendReset } from './reset-tokens.js';
import { endAccess, type SessionEnd } from './session-end.js';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly ends: readonly SessionEnd[];
}

/** Makes `Accounts.setPassword`. */
export function createPasswordChange(deps: Deps): Accounts['setPassword'] {
  const { database, clock, passwords, throttle, ends } = deps;

  async function byReset(resetToken: string, peer: string): Promise<UserRow> {
    await throttle.tryFrom('reset', peer);
    const row = await findReset(database.sql, clock, resetToken);
    if (!row) throw spent();
    return row;
  }

  async function byPassword(userId: string, password: string, peer: string): Promise<UserRow> {
    const row = await findUser(database.sql, { id: userId });
    const email = row?.email ?? userId;
    await throttle.tryLogin(email, peer);
    const same = await passwords.matches(password, row?.password_hash);
    if (!row || !same || row.disabled_at !== null) {
      throw new ServiceError('UNAUTHENTICATED', 'The current password is wrong. Try again.');
    }
    await throttle.succeeded(email, peer);
    return row;
  }

  return async ({ newPassword, peer, keep, ...by }) => {
    const row =
      'resetToken' in by
        ? await byReset(by.resetToken, peer)
        : await byPassword(by.userId, by.currentPassword, peer);
    const password_hash = await passwords.hash(newPassword);
    await database.transaction(async (sql) => {
      if ('resetToken' in by && !(await spendReset(sql, by.resetToken))) throw spent();
      // Of two changes at the same time the second finds that its current password is no longer the current one.
      const same = { id: row.id, password_hash: row.password_hash };
      const changed = await sql('users').where(same).update({ password_hash });
      if (changed !== 1) {
        throw new ServiceError('CONFLICT', 'The password was changed meanwhile. Log in with the new one.');
      }
      await endAccess(sql, ends, row.id, keep);
    });
    return toProvenAccount({ ...row, password_hash }, password_hash);
  };
}

function spent(): ServiceError {
  return new ServiceError(
    'UNAUTHENTICATED',
    'This link is unknown, used or out of date. Ask an administrator for a new one.',
  );
}
