import { timingSafeEqual } from 'node:crypto';
import type { Caller, Clock, Database } from '@service-mcp/core';
import type { UserRow } from '../account-store.js';
import { keyIdOf } from '../api-key-format.js';
import type { ApiKeyRow } from '../api-key-store.js';
import type { CredentialUsage } from '../credential-usage.js';
import { digestOf } from '../secrets.js';
import { disabledAccount, invalidCredential } from './credential-errors.js';

interface Row
  extends
    Omit<ApiKeyRow, 'name' | 'key_id' | 'parent_id' | 'created_at'>,
    Pick<UserRow, 'administrator' | 'disabled_at'> {
  readonly user_name: string;
}

const FIND = `SELECT k.id, k.digest, k.scopes, k.workspace_id, k.expires_at, k.last_used_at, k.revoked_at,
  u.id AS user_id, u.name AS user_name, u.administrator, u.disabled_at
  FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_id = ?`;

/** Verifies an API key: one database read, none for a malformed key, and no write. */
export function createKeyCheck(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly usage: CredentialUsage;
}): (key: string) => Promise<Caller> {
  const { database, clock, usage } = deps;

  const find = database.prepare<Row>('auth_find_api_key', FIND);

  return async (key) => {
    const keyId = keyIdOf(key);
    if (keyId === undefined)
      throw invalidCredential('This is not a complete API key: it is mistyped or cut off. Copy it again.');
    const row = await find(keyId);
    const digest = Buffer.from(digestOf(key));
    if (!row || !timingSafeEqual(digest, Buffer.from(row.digest)))
      throw invalidCredential(
        'This API key is unknown here. Check the address of the service, or create a new key.',
      );
    if (row.revoked_at !== null)
      throw invalidCredential('This API key, or the key that created it, was revoked. Create a new one.');
    if (row.expires_at !== null && row.expires_at <= clock.now().toISOString())
      throw invalidCredential(`This API key expired at ${row.expires_at}. Create a new one.`);
    if (row.disabled_at !== null) throw disabledAccount();
    usage.record('api_keys', row.id, row.last_used_at);
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
