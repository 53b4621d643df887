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
} from '@service-mcp/core';
import {
  insertApiKey,
  revokeWithChildren,
  toApiKeyRecord,
  type ApiKeyRecord,
  type ApiKeyRow,
} from './api-key-store.js';
import { LastUsed } from './last-used.js';
import { Scopes } from './scopes.js';

/** The API keys of the caller. A confined credential sees and makes only keys confined to the same workspace. */
export interface ApiKeys {
  /**
   * A key never can more than the credential that makes it: its scopes, workspace and end are narrowed by the caller's.
   * Throws INVALID_ARGUMENT where more is asked for, NOT_FOUND for a workspace that the caller may not see.
   */
  create(
    caller: Caller,
    request: {
      name: string;
      scopes?: readonly string[] | undefined;
      workspaceId?: string | undefined;
      expiresAt?: string | undefined;
    },
  ): Promise<{ readonly record: ApiKeyRecord; readonly key: string }>;
  /** Newest first. */
  list(caller: Caller, paging: { page: number; per_page: number }): Promise<PageOf<ApiKeyRecord>>;
  /**
   * Revokes it and every key made by it. A key may revoke itself; beyond that only a login revokes what can more than
   * the credential of the call. Throws NOT_FOUND, PERMISSION_DENIED.
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
    lastUsed: LastUsed,
  },
  create: ({ database, clock, memberships, scopes, lastUsed }) => {
    const own = (caller: Caller) => {
      const { userId: user_id, workspaceId: workspace_id } = caller;
      return database.sql('api_keys').where({ user_id, ...(workspace_id !== undefined && { workspace_id }) });
    };
    return {
      async create(caller, { name, scopes: wanted, workspaceId = caller.workspaceId, expiresAt }) {
        if (workspaceId !== undefined && !(await memberships?.roleIn(caller, workspaceId)))
          throw notFound('workspace', workspaceId, 'workspaces_list');
        const parent_id = caller.kind === 'api_key' ? (caller.credentialId ?? null) : null;
        const made = {
          user_id: caller.userId,
          parent_id,
          name,
          scopes: scopes.narrowed(caller, wanted),
          workspace_id: workspaceId ?? null,
          expires_at: endOf(caller, expiresAt, clock.now()),
          created_at: clock.now().toISOString(),
        };
        return database.transaction(async (sql) => {
          if (parent_id !== null) {
            const parent = sql('api_keys').where({ id: parent_id }).whereNull('revoked_at');
            if (database.engine === 'postgresql') parent.forShare(); // a revocation waits, and then finds the child
            if (!(await parent.first('id')))
              throw new ServiceError('UNAUTHENTICATED', 'The API key of this call was revoked. Use another.');
          }
          return insertApiKey(sql, made);
        });
      },
      async list(caller, paging) {
        await lastUsed.flush();
        return selectPage<ApiKeyRow, ApiKeyRecord>(
          own(caller).select('*').orderBy('id', 'desc'),
          paging,
          toApiKeyRecord,
        );
      },
      async revoke(caller, id) {
        const key = (await own(caller).where({ id }).first('scopes')) as { scopes: string } | undefined;
        if (!key) throw notFound('API key', id, 'auth_list_api_keys');
        if (caller.credentialId !== id && !scopes.covers(caller, key.scopes.split(' '))) {
          throw new ServiceError(
            'PERMISSION_DENIED',
            'This key can more than the credential of this call. Revoke it after a login, or with a key that can as much.',
          );
        }
        await database.transaction((sql) => revokeWithChildren(sql, id, clock.now().toISOString()));
      },
    };
  },
});

/** When a new key ends: not after the credential that makes it. A session stands for its person, and binds no key. */
function endOf(caller: Caller, wanted: string | undefined, now: Date): string | null {
  const latest = caller.kind === 'session' ? undefined : caller.expiresAt;
  if (wanted === undefined) return latest ?? null;
  const end = new Date(wanted);
  if (end <= now) throw invalidArgument('/expires_at', 'must be in the future');
  if (latest !== undefined && end > new Date(latest))
    throw invalidArgument('/expires_at', `must not be after ${latest}, when this credential ends`);
  return end.toISOString();
}
