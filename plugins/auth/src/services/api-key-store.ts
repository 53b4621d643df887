import { uuidv7, type Sql } from '@service-mcp/core';
import { newApiKey, maskedKey } from './api-key-format.js';
import { digestOf } from './secrets.js';

/** An API key without its secret. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly masked_key: string;
  readonly scopes: readonly string[];
  readonly workspace_id: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** A row of `api_keys`. */
export interface ApiKeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly key_id: string;
  readonly digest: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly workspace_id: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export function toApiKeyRecord(row: ApiKeyRow): ApiKeyRecord {
  const { id, name, key_id, scopes, workspace_id, created_at, expires_at, last_used_at, revoked_at } = row;
  const shown = maskedKey(key_id);
  const ends = { created_at, expires_at, last_used_at, revoked_at };
  return { id, name, ...shown, scopes: scopes.split(' '), workspace_id, ...ends };
}

/** Creates a key. `key` is returned once and never stored. */
export async function insertApiKey(
  sql: Sql,
  fields: Pick<ApiKeyRow, 'user_id' | 'parent_id' | 'name' | 'workspace_id' | 'created_at' | 'expires_at'> & {
    readonly scopes: readonly string[];
  },
): Promise<{ readonly record: ApiKeyRecord; readonly key: string }> {
  const { key, keyId } = newApiKey();
  const row: ApiKeyRow = {
    ...fields,
    id: uuidv7(),
    key_id: keyId,
    digest: digestOf(key),
    scopes: fields.scopes.join(' '),
    last_used_at: null,
    revoked_at: null,
  };
  await sql('api_keys').insert(row);
  return { record: toApiKeyRecord(row), key };
}

/** Parents per statement: databases limit bindings, and a key can have more children than that. */
const BATCH = 500;

/** Revokes a key and all its descendants. `sql` is a transaction. */
export async function revokeWithChildren(sql: Sql, id: string, revoked_at: string): Promise<void> {
  await sql('api_keys').where({ id }).whereNull('revoked_at').update({ revoked_at });
  // One generation per statement: each sees keys committed while it waited for the lock on the parent row.
  for (let generation = [id]; generation.length > 0;) {
    const next: string[] = [];
    for (let at = 0; at < generation.length; at += BATCH) {
      const children = sql<ApiKeyRow>('api_keys').whereIn('parent_id', generation.slice(at, at + BATCH));
      await children.clone().whereNull('revoked_at').update({ revoked_at });
      for (const child of await children.select('id')) next.push(child.id);
    }
    generation = next;
  }
}
