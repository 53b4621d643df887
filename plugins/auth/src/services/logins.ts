import {
  Clock,
  Database,
  notFound,
  pageOf,
  provide,
  selectPage,
  token,
  type Caller,
  type PageOf,
  type PageRequest,
} from '@service-mcp/core';
import { Grants } from '../oauth/grant-store.js';
import { displayName } from '../pages/display-name.js';
import type { ConnectionRecord, Session } from '../schemas.js';
import { CredentialUsage } from './credential-usage.js';

/**
 * The logins of the caller's account, and the applications that it allowed. A credential confined to a workspace sees
 * none of either. Revoking throws NOT_FOUND for another person's.
 */
export interface Logins {
  /** Latest consent first. */
  connections(caller: Caller, paging: PageRequest): Promise<PageOf<ConnectionRecord>>;
  /** Ends every consent of the application and every token of them. */
  disconnect(caller: Caller, id: string): Promise<void>;
  /** Newest first; those of browsers and of programs. */
  sessions(caller: Caller, paging: PageRequest): Promise<PageOf<Session>>;
  endSession(caller: Caller, id: string): Promise<void>;
}
export const Logins = token<Logins>('auth.Logins');

interface SessionRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string;
}

export const logins = provide(Logins, {
  uses: { database: Database, clock: Clock, grants: Grants, usage: CredentialUsage },
  create({ database, clock, grants, usage }) {
    const isConfined = ({ workspaceId }: Caller) => workspaceId !== undefined;
    const own = (caller: Caller) =>
      database
        .sql<SessionRow>('sessions')
        .where('expires_at', '>', clock.now().toISOString())
        .whereIn('user_id', isConfined(caller) ? [] : [caller.userId]);
    return {
      async connections(caller, paging) {
        const all = isConfined(caller) ? [] : await grants.connections(caller.userId);
        const { page, per_page } = paging;
        const items = all.slice((page - 1) * per_page, page * per_page).map((connection) => ({
          id: connection.id,
          name: displayName(connection.clientName),
          scopes: [...connection.scopes],
          created_at: new Date(connection.since).toISOString(),
          last_used_at: connection.lastUsedAt,
          current: connection.clientId === caller.clientId,
        }));
        return pageOf(items, all.length, paging);
      },
      async disconnect(caller, id) {
        if (isConfined(caller) || !(await grants.disconnect(caller.userId, { id })))
          throw notFound('connection', id, 'auth_list_connections');
      },
      async sessions(caller, paging) {
        await usage.flush();
        const fields = ['id', 'name', 'created_at', 'last_used_at', 'expires_at'] as const;
        return selectPage<SessionRow, Session>(
          own(caller)
            .select(...fields)
            .orderBy('id', 'desc'),
          paging,
          (row) => ({
            ...row,
            name: row.name || 'Browser',
            current: caller.kind === 'session' && row.id === caller.credentialId,
          }),
        );
      },
      async endSession(caller, id) {
        if ((await own(caller).where({ id }).delete()) === 0)
          throw notFound('session', id, 'auth_list_sessions');
      },
    };
  },
});
