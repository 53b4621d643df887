import { collect, type Sql } from '@service-mcp/core';

/** Revokes grants of other kinds of login when all sessions of an account end. */
export interface AccessRevoker {
  /** Runs in the transaction of the change. Must not depend on `Accounts`, which uses it. */
  revoke(sql: Sql, userId: string): Promise<void>;
}
export const AccessRevoker = collect<AccessRevoker>('auth.AccessRevoker');

/** Ends the sessions and grants of an account, and deletes its reset tokens. */
export async function revokeAccess(
  sql: Sql,
  revokers: readonly AccessRevoker[],
  userId: string,
  keep?: string,
): Promise<void> {
  // Tokens of a deleted session are invalid; the worker `expiry` deletes them.
  const sessions = sql('sessions').where({ user_id: userId });
  if (keep !== undefined) sessions.whereNot({ id: keep });
  await sessions.delete();
  await sql('reset_tokens').where({ user_id: userId }).delete();
  for (const revoker of revokers) await revoker.revoke(sql, userId);
}
