import type { Caller, Clock, Database } from '@service-mcp/core';
import type { UserRow } from '../account-store.js';
import type { CredentialUsage } from '../credential-usage.js';
import { digestOf } from '../secrets.js';
import { sessionCaller } from '../sessions.js';
import { disabledAccount, invalidCredential } from './credential-errors.js';

interface Row extends Pick<UserRow, 'id' | 'name' | 'administrator' | 'disabled_at'> {
  readonly session_id: string;
  readonly last_used_at: string | null;
  readonly expires_at: string;
}

const FIND = `SELECT t.session_id, t.expires_at, s.last_used_at, u.id, u.name, u.administrator, u.disabled_at
  FROM session_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
  WHERE t.digest = ? AND t.kind = 'access'`;

/** Verifies the access token of a login, which has every scope. */
export function createSessionCheck(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly usage: CredentialUsage;
}): (accessToken: string) => Promise<Caller> {
  const { database, clock, usage } = deps;
  const find = database.prepare<Row>('auth_find_session_token', FIND);
  return async (accessToken) => {
    const row = await find(digestOf(accessToken));
    if (!row || row.expires_at <= clock.now().toISOString())
      throw invalidCredential(
        'This access token is unknown or expired, or its login has ended. Refresh it at /v1/auth/refresh, or log in again.',
      );
    if (row.disabled_at !== null) throw disabledAccount();
    usage.record('sessions', row.session_id, row.last_used_at);
    const administrator = row.administrator === 1;
    return { ...sessionCaller(row, row.session_id), administrator, expiresAt: row.expires_at };
  };
}
