import { ServiceError, type Clock, type Database } from '@service-mcp/core';
import { findUser, toProvenAccount, type UserRow } from './account-store.js';
import type { Accounts } from './accounts.js';
import type { LoginThrottle } from './login-throttle.js';
import type { Passwords } from './passwords.js';
import { consumeReset, findReset } from './reset-tokens.js';
import { revokeAccess, type AccessRevoker } from './revoke-access.js';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly revokers: readonly AccessRevoker[];
}

/** Implements `Accounts.setPassword`. */
export function createPasswordChange(deps: Deps): Accounts['setPassword'] {
  const { database, clock, passwords, throttle, revokers } = deps;

  async function byReset(resetToken: string, peer: string): Promise<UserRow> {
    await throttle.tryFrom('reset', peer);
    const row = await findReset(database.sql, clock, resetToken);
    if (!row) throw invalidLink();
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
      if ('resetToken' in by && !(await consumeReset(sql, by.resetToken))) throw invalidLink();
      // Optimistic lock: of two concurrent changes the second fails.
      const same = { id: row.id, password_hash: row.password_hash };
      const changed = await sql('users').where(same).update({ password_hash });
      if (changed !== 1) {
        throw new ServiceError(
          'CONFLICT',
          'The password was changed by another request. Log in with the new one.',
        );
      }
      await revokeAccess(sql, revokers, row.id, keep);
    });
    return toProvenAccount({ ...row, password_hash }, password_hash);
  };
}

function invalidLink(): ServiceError {
  return new ServiceError(
    'UNAUTHENTICATED',
    'This link is unknown, used or expired. Ask an administrator for a new one.',
  );
}
