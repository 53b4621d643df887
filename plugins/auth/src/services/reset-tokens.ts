import type { Clock, Deployment, Sql } from '@service-mcp/core';
import { DAY_MS } from '../config.js';
import type { UserRow } from './account-store.js';
import { RESET_PREFIX, digestOf, newSecret } from './secrets.js';

/** Creates a reset token, which replaces earlier ones. */
export async function createReset(sql: Sql, clock: Clock, userId: string): Promise<string> {
  const secret = newSecret(RESET_PREFIX);
  const expires_at = new Date(clock.now().getTime() + DAY_MS).toISOString();
  await sql('reset_tokens').where({ user_id: userId }).delete();
  await sql('reset_tokens').insert({ digest: digestOf(secret), user_id: userId, expires_at });
  return secret;
}

/** Address of the page that sets a password with a reset token. */
export function passwordLink(deployment: Deployment, resetToken: string): string {
  return `${deployment.origins().web}/oauth/password?token=${resetToken}`;
}

/** The user of a token; undefined when the token is invalid or the account is disabled. */
export async function findReset(sql: Sql, clock: Clock, resetToken: string): Promise<UserRow | undefined> {
  const row: UserRow | undefined = await sql('reset_tokens')
    .join('users', 'users.id', 'reset_tokens.user_id')
    .where('reset_tokens.digest', digestOf(resetToken))
    .where('reset_tokens.expires_at', '>', clock.now().toISOString())
    .whereNull('users.disabled_at')
    .first('users.*');
  return row;
}

/** Consumes a token: of several concurrent calls, one returns true. */
export async function consumeReset(sql: Sql, resetToken: string): Promise<boolean> {
  const deleted = await sql('reset_tokens')
    .where({ digest: digestOf(resetToken) })
    .delete();
  return deleted === 1;
}
