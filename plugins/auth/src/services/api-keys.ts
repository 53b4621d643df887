import {
  Clock,
  Database,
  Memberships,
  ServiceError,
  invalidArgument,
  notFound,
  optional,
  provide,
  selectPage,
  token,
  type Caller,
  type PageOf,
  type PageRequest,
} from '@service-mcp/core';
import type { ApiKey, NewApiKey } from '../schemas.js';
import { insertApiKey, revokeWithChildren, toApiKey, type ApiKeyRow } from './api-key-store.js';
import { CredentialUsage } from './credential-usage.js';
import { Scopes } from './scopes.js';

/** The caller's API keys. A credential confined to a workspace lists and creates only keys confined to it. */
export interface ApiKeys {
  /**
   * Scopes, workspace and expiry are limited to those of the caller's credential. Throws INVALID_ARGUMENT when the
   * request exceeds them, NOT_FOUND for a workspace that the caller cannot see.
   */
  create(
    caller: Caller,
    request: {
      name: string;
      scopes?: readonly string[];
      workspace_id?: string;
      expires_at?: string;
    },
  ): Promise<NewApiKey>;
  /** Newest first. */
  list(caller: Caller, paging: PageRequest): Promise<PageOf<ApiKey>>;
  /**
   * Revokes a key and every key created with it. A key can revoke itself; a key with more permissions than the
   * caller's credential is rejected. Throws NOT_FOUND, PERMISSION_DENIED.
   */
  revoke(caller: Caller, id: string): Promise<void>;
}
export const ApiKeys = token<ApiKeys>('auth.ApiKeys');

export const apiKeys = provide(ApiKeys, {
  uses: {
    database: Database,
    clock: Clock,
    memberships: optional(Memberships),
    scopes: Scopes,
    usage: CredentialUsage,
  },
  create: ({ database, clock, memberships, scopes, usage }) => {
    const own = (caller: Caller) => {
      const { userId: user_id, workspaceId: workspace_id } = caller;
      return database
        .sql<ApiKeyRow>('api_keys')
        .where({ user_id, ...(workspace_id !== undefined && { workspace_id }) });
    };
    return {
      async create(caller, { name, scopes: wanted, workspace_id = caller.workspaceId, expires_at }) {
        if (workspace_id !== undefined && !(await memberships?.roleIn(caller, workspace_id)))
          throw notFound('workspace', workspace_id, 'workspaces_list');
        const parent_id = caller.kind === 'api_key' ? (caller.credentialId ?? null) : null;
        const now = clock.now();
        const fields = {
          user_id: caller.userId,
          parent_id,
          name,
          scopes: scopes.narrow(caller, wanted),
          workspace_id: workspace_id ?? null,
          expires_at: expiryOf(caller, expires_at, now),
          created_at: now.toISOString(),
        };
        return database.transaction(async (sql) => {
          if (parent_id !== null) {
            const parent = sql('api_keys').where({ id: parent_id }).whereNull('revoked_at');
            if (database.engine === 'postgresql') parent.forShare(); // a concurrent revocation waits, then finds the new key
            if (!(await parent.first('id')))
              throw new ServiceError(
                'UNAUTHENTICATED',
                'The API key of this call was revoked. Use another key.',
              );
          }
          return insertApiKey(sql, fields);
        });
      },
      async list(caller, paging) {
        await usage.flush();
        const query = own(caller).select('*').orderBy('id', 'desc');
        return selectPage<ApiKeyRow, ApiKey>(query, paging, toApiKey);
      },
      async revoke(caller, id) {
        const key = await own(caller).where({ id }).first('scopes');
        if (!key) throw notFound('API key', id, 'auth_list_api_keys');
        if (caller.credentialId !== id && !scopes.covers(caller, key.scopes.split(' '))) {
          throw new ServiceError(
            'PERMISSION_DENIED',
            'This key has more permissions than the credential you are using. Revoke it with one that has them all, such as a login.',
          );
        }
        await database.transaction((sql) => revokeWithChildren(sql, id, clock.now().toISOString()));
      },
    };
  },
});

/** Expiry of a new key: not after the key that creates it. A session does not limit it. */
function expiryOf(caller: Caller, wanted: string | undefined, now: Date): string | null {
  const latest = caller.kind === 'session' ? undefined : caller.expiresAt;
  if (wanted === undefined) return latest ?? null;
  const end = new Date(wanted);
  if (end <= now) throw invalidArgument('/expires_at', 'must be in the future');
  if (latest !== undefined && end > new Date(latest))
    throw invalidArgument('/expires_at', `must not be after ${latest}, when this credential expires`);
  return end.toISOString();
}
