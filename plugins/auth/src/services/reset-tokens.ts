import type { Clock, Sql } from '@service-mcp/core';
import type { UserRow } from './account-store.js';
import { RESET_PREFIX, digestOf, newSecret } from './secrets.js';

const GOOD_FOR_MS = 24 * 60 * 60 * 1000;

/** Makes a reset token in place of earlier ones. Returns it. */
export async function createReset(sql: Sql, clock: Clock, userId: string): Promise<string> {
  const secret = newSecret(RESET_PREFIX);
  const expires_at = new Date(clock.now().getTime() + GOOD_FOR_MS).toISOString();
  await sql('reset_tokens').where({ user_id: userId }).delete();
  await sql('reset_tokens').insert({ digest: digestOf(secret), user_id: userId, expires_at });
  return secret;
}

/** Whom a token is for; undefined where it is no good or the account is disabled. */
export async function findReset(sql: Sql, clock: Clock, resetToken: string): Promise<UserRow | undefined> {
  return (await sql('reset_tokens')
    .join('users', 'users.id', 'reset_tokens.user_id')
    .where('reset_tokens.digest', digestOf(resetToken))
    .where('reset_tokens.expires_at', '>', clock.now().toISOString())
    .whereNull('users.disabled_at')
    .first('users.*')) as UserRow | undefined;
}

/** Spends a token: of several at the same time one gets true. */
export async function spendReset(sql: Sql, resetToken: string): Promise<boolean> {
  const spent = await sql('reset_tokens')
    .where({ digest: digestOf(resetToken) })
    .delete();
  return spent === 1;
}
