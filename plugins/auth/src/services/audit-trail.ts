import {
  AuditTrail,
  Clock,
  Database,
  provide,
  selectPage,
  token,
  uuidv7,
  type PageOf,
  type PageRequest,
} from '@service-mcp/core';
import type { AuditRecord } from '../schemas.js';

/** Reads the audit log of writes and denials. */
export interface AuditLog {
  /** Newest first. */
  list(request: PageRequest & AuditFilter): Promise<PageOf<AuditRecord>>;
}
/** Equal values, and the times from `since` to before `until`. */
type AuditFilter = Partial<
  Record<'workspace_id' | 'user_id' | 'action' | 'outcome' | 'since' | 'until', string>
>;
export const AuditLog = token<AuditLog>('auth.AuditLog');

export const auditTrail = provide(AuditTrail, {
  uses: { database: Database, clock: Clock },
  create: ({ database, clock }) => ({
    async record({ caller, surface, peer, requestId, action, workspaceId, target, outcome }) {
      await database.sql('audit_log').insert({
        id: uuidv7(),
        at: clock.now().toISOString(),
        user_id: caller.userId,
        credential_kind: caller.kind,
        credential_id: caller.credentialId ?? null,
        surface,
        peer: peer ?? null,
        request_id: requestId,
        action,
        workspace_id: workspaceId ?? null,
        target: target ?? null,
        outcome,
      });
    },
  }),
});

export const auditLog = provide(AuditLog, {
  uses: { database: Database },
  create: ({ database }) => ({
    list({ page, per_page, since, until, ...equal }) {
      const query = database
        .sql('audit_log')
        .where(equal)
        .select('*')
        .orderBy([
          { column: 'at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]);
      if (since !== undefined) query.where('at', '>=', new Date(since).toISOString());
      if (until !== undefined) query.where('at', '<', new Date(until).toISOString());
      return selectPage<AuditRecord, AuditRecord>(query, { page, per_page }, (row) => ({
        ...row,
        user_id: row.user_id === '' ? null : row.user_id, // a call without a credential
      }));
    },
  }),
});
