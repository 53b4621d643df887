import { collect, type Sql } from '@service-mcp/core';

/** What else ends when every session of an account does: the grants of other kinds of login. */
export interface SessionEnd {
  /** Ends them in the transaction of the change. Accounts use it, so it must be made without them. */
  end(sql: Sql, userId: string): Promise<void>;
}
export const SessionEnd = collect<SessionEnd>('auth.SessionEnd');

/** Ends the sessions and grants of an account, with the reset tokens that wait for it. */
export async function endAccess(
  sql: Sql,
  ends: readonly SessionEnd[],
  userId: string,
  keep?: string,
): Promise<void> {
  // Tokens of a session that is gone are dead, and leave when they are out of date.
  const sessions = sql('sessions').where({ user_id: userId });
  if (keep !== undefined) sessions.whereNot({ id: keep });
  await sessions.delete();
  await sql('reset_tokens').where({ user_id: userId }).delete();
  for (const other of ends) await other.end(sql, userId);
}
