import type { Caller, Clock, Database } from '@service-mcp/core';
import { digestOf } from '../secrets.js';
import { disabledAccount, refuseCredential } from './refuse.js';

interface Row {
  readonly session_id: string;
  readonly expires_at: string;
  readonly id: string;
  readonly name: string;
  readonly administrator: number;
  readonly disabled_at: string | null;
}

/** Checks the access token of a login: it stands for the person, with every scope. */
export function createSessionCheck(deps: {
  readonly database: Database;
  readonly clock: Clock;
}): (accessToken: string) => Promise<Caller> {
  const { database, clock } = deps;
  return async (accessToken) => {
    const row = (await database
      .sql('session_tokens as t')
      .join('sessions as s', 's.id', 't.session_id')
      .join('users as u', 'u.id', 's.user_id')
      .where({ 't.digest': digestOf(accessToken), 't.kind': 'access' })
      .first('t.session_id', 't.expires_at', 'u.id', 'u.name', 'u.administrator', 'u.disabled_at')) as
      | Row
      | undefined;
    if (!row || row.expires_at <= clock.now().toISOString())
      throw refuseCredential(
        'This access token is unknown, out of date, or its login has ended. Refresh it at /v1/auth/refresh, or log in again.',
      );
    if (row.disabled_at !== null) throw disabledAccount();
    return {
      kind: 'session',
      userId: row.id,
      name: row.name,
      scopes: ['*'],
      administrator: row.administrator === 1,
      credentialId: row.session_id,
      expiresAt: row.expires_at,
    };
  };
}
