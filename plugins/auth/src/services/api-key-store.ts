import { uuidv7, type Sql } from '@service-mcp/core';
import type { ApiKey, NewApiKey } from '../schemas.js';
import { newApiKey, maskedKey } from './api-key-format.js';
import { digestOf } from './secrets.js';

/** A row of `api_keys`. */
export interface ApiKeyRow extends Omit<ApiKey, 'prefix' | 'masked_key' | 'scopes'> {
  readonly user_id: string;
  readonly parent_id: string | null;
  readonly key_id: string;
  readonly digest: string;
  /** Separated by spaces. */
  readonly scopes: string;
}

export function toApiKey(row: ApiKeyRow): ApiKey {
  const { id, name, key_id, scopes, workspace_id, created_at, expires_at, last_used_at, revoked_at } = row;
  const ends = { created_at, expires_at, last_used_at, revoked_at };
  return { id, name, ...maskedKey(key_id), scopes: scopes.split(' '), workspace_id, ...ends };
}

export async function insertApiKey(
  sql: Sql,
  fields: Pick<ApiKeyRow, 'user_id' | 'parent_id' | 'name' | 'workspace_id' | 'created_at' | 'expires_at'> & {
    readonly scopes: readonly string[];
  },
): Promise<NewApiKey> {
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
  await sql<ApiKeyRow>('api_keys').insert(row);
  return { ...toApiKey(row), secret_key: key };
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
