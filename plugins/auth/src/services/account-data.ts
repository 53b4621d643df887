import { AccountData, contribute, type Sql } from '@service-mcp/core';
import { revokeAccess } from './revoke-access.js';

/** Credentials and invitations of a deleted account. The audit log keeps its id in place of its address. */
export const accountData = contribute(AccountData, {
  uses: {},
  create: (): AccountData => ({
    async erase(sql, _record, { userId: user_id, email }) {
      await revokeAccess(sql, user_id);
      for (const table of ['api_keys', 'oauth_records']) await sql(table).where({ user_id }).delete();
      await sql('invitations').where({ invited_by: user_id, accepted_at: null }).delete();
      if (email === undefined) return;
      await sql('invitations').where({ email }).delete();
      await replaceTargets(sql, email, user_id);
    },
  }),
});

/** Targets are `name=value` pairs, with the address as the caller wrote it. */
async function replaceTargets(sql: Sql, email: string, userId: string): Promise<void> {
  const named: Array<{ target: string }> = await sql('audit_log')
    .whereRaw("LOWER(target) LIKE '%email=%'")
    .distinct('target');
  for (const { target } of named) {
    const pairs = target
      .split(' ')
      .map((pair) => (pair.toLowerCase() === `email=${email}` ? `email=${userId}` : pair));
    const replaced = pairs.join(' ');
    if (replaced !== target) await sql('audit_log').where({ target }).update({ target: replaced });
  }
}
