import { ANONYMOUS, toServiceError, type AuditEntry } from '@service-mcp/core';
import type { Context } from 'koa';
import { sessionCaller } from '../services/session-caller.js';
import type { PageParts, Visitor } from './visitor.js';

interface Deed {
  /** The name of the tool that does the same, where there is one. */
  readonly action: string;
  /** Who does it, where that is known before. */
  readonly visitor?: Visitor;
}

/** Keeps for the audit log what was done through a page. As for a call, a log that fails stops nobody. */
export async function record(
  parts: PageParts,
  ctx: Context,
  { action, visitor }: Deed,
  outcome: AuditEntry['outcome'] = 'OK',
): Promise<void> {
  const entry: AuditEntry = {
    caller: visitor ? sessionCaller(visitor.account, visitor.sessionId) : ANONYMOUS,
    surface: 'rest',
    peer: parts.http.peer(ctx),
    requestId: String(ctx.state['requestId']),
    action,
    workspaceId: undefined,
    outcome,
  };
  await parts.audit
    ?.record(entry)
    .catch((err: unknown) => parts.log.error({ err, action }, 'the audit log failed'));
}

/** Does it, and records what came of it: who it turned out to be, or why it was refused. */
export async function recorded<T extends Visitor | undefined>(
  parts: PageParts,
  ctx: Context,
  deed: Deed,
  work: () => Promise<T>,
): Promise<T> {
  let visitor: T;
  try {
    visitor = await work();
  } catch (error) {
    await record(parts, ctx, deed, toServiceError(error).code);
    throw error;
  }
  await record(parts, ctx, { ...deed, ...(visitor && { visitor }) });
  return visitor;
}
