import { Clock, Database, defineWorker } from '@service-mcp/core';
import { DAY_MS } from '../config.js';
import { UNUSED_CLIENT_MS } from './client-store.js';
import { GRACE_MS } from './refresh-grace.js';

/** Deletes expired records, grants without tokens, and unused clients without grants. */
export const sweepRecords = defineWorker({
  id: 'auth.oauth.sweep',
  uses: { database: Database, clock: Clock },
  everyMs: 60 * 60_000,
  exclusive: true,
  async run({ database: { sql }, clock }) {
    const now = clock.now().getTime();
    await sql('oauth_records').where('expires_at', '<=', now).delete();
    await sql('oauth_records')
      .whereNotNull('reply')
      .where('consumed_at', '<', now - GRACE_MS)
      .update({ reply: null });
    await sql('oauth_grants')
      .where('created_at', '<', now - DAY_MS)
      .whereNotExists(
        sql('oauth_records').whereRaw('oauth_records.grant_id = oauth_grants.id').select(sql.raw('1')),
      )
      .delete();
    await sql('oauth_clients')
      .where('used_at', '<', now - UNUSED_CLIENT_MS)
      .whereNotIn('id', sql('oauth_grants').select('client_id'))
      .delete();
    return { more: false };
  },
});
