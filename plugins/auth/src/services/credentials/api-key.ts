import { timingSafeEqual } from 'node:crypto';
import type { Caller, Clock, Database } from '@service-mcp/core';
import { keyIdOf } from '../api-key-format.js';
import type { LastUsed } from '../last-used.js';
import { digestOf } from '../secrets.js';
import { disabledAccount, refuseCredential } from './refuse.js';

interface Row {
  readonly id: string;
  readonly digest: string;
  readonly scopes: string;
  readonly workspace_id: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly user_id: string;
  readonly user_name: string;
  readonly administrator: number;
  readonly disabled_at: string | null;
}

const FIND = `SELECT k.id, k.digest, k.scopes, k.workspace_id, k.expires_at, k.last_used_at, k.revoked_at,
  u.id AS user_id, u.name AS user_name, u.administrator, u.disabled_at
  FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_id = ?`;

/** Checks an API key: one look into the database, none for a mistyped key, and no write. */
export function createKeyCheck(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly lastUsed: LastUsed;
}): (key: string) => Promise<Caller> {
  const { database, clock, lastUsed } = deps;

  const find = database.prepare<Row>('auth_find_api_key', FIND);

  return async (key) => {
    const keyId = keyIdOf(key);
    if (keyId === undefined)
      throw refuseCredential('This is no whole API key: it is mistyped or cut off. Copy it again.');
    const row = await find(keyId);
    const digest = Buffer.from(digestOf(key));
    if (!row || !timingSafeEqual(digest, Buffer.from(row.digest)))
      throw refuseCredential(
        'This API key is unknown here. Check the address of the service, or make a new key.',
      );
    if (row.revoked_at !== null)
      throw refuseCredential('This API key, or the one that made it, was revoked. Make a new one.');
    if (row.expires_at !== null && row.expires_at <= clock.now().toISOString())
      throw refuseCredential(`This API key ended at ${row.expires_at}. Make a new one.`);
    if (row.disabled_at !== null) throw disabledAccount();
    lastUsed.note(row.id, row.last_used_at);
    return {
      kind: 'api_key',
      userId: row.user_id,
      name: row.user_name,
      scopes: row.scopes.split(' '),
      administrator: row.administrator === 1,
      credentialId: row.id,
      ...(row.workspace_id !== null && { workspaceId: row.workspace_id }),
      ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    };
  };
}
