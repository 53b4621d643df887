import type { Sql } from '@service-mcp/core';
import { revokeGrants } from '../oauth/grant-store.js';

/** Ends the sessions and OAuth grants of an account except session `keep`, and deletes its reset tokens. */
export async function revokeAccess(sql: Sql, userId: string, keep?: string): Promise<void> {
  // Tokens of a deleted session are invalid; the worker `expiry` deletes them.
  const sessions = sql('sessions').where({ user_id: userId });
  if (keep !== undefined) sessions.whereNot({ id: keep });
  await sessions.delete();
  await sql('reset_tokens').where({ user_id: userId }).delete();
  await revokeGrants(sql, { user_id: userId });
}
