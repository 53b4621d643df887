import { ANONYMOUS, auditTarget, toServiceError, type AuditEntry } from '@service-mcp/core';
import type { Context } from 'koa';
import { sessionCaller } from '../services/sessions.js';
import type { PageParts, Visitor } from './visitor.js';

interface PageAction {
  /** Name of the equivalent tool, if there is one. */
  readonly action: string;
  /** The visitor, if already known. */
  readonly visitor?: Visitor;
  /** Ids that the visitor sent; others, of no valid form, are left out. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** Writes an action of a page to the audit log. As for calls, a failing log does not stop the action. */
export async function auditAction(
  parts: PageParts,
  ctx: Context,
  { action, visitor, ids }: PageAction,
  outcome: AuditEntry['outcome'] = 'OK',
): Promise<void> {
  const entry: AuditEntry = {
    caller: visitor ? sessionCaller(visitor.account, visitor.sessionId) : ANONYMOUS,
    surface: 'rest',
    peer: parts.http.peer(ctx),
    requestId: String(ctx.state['requestId']),
    action,
    workspaceId: undefined,
    target: ids && auditTarget(ids),
    outcome,
  };
  await parts.audit
    ?.record(entry)
    .catch((err: unknown) => parts.log.error({ err, action }, 'writing the audit log failed'));
}

/** Runs `work` and audits its outcome: the visitor it returns, or the code of its error. */
export async function withAudit<T extends Visitor | undefined>(
  parts: PageParts,
  ctx: Context,
  action: PageAction,
  work: () => Promise<T>,
): Promise<T> {
  let visitor: T;
  try {
    visitor = await work();
  } catch (error) {
    await auditAction(parts, ctx, action, toServiceError(error).code);
    throw error;
  }
  await auditAction(parts, ctx, { ...action, ...(visitor && { visitor }) });
  return visitor;
}
