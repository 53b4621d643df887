import { Clock, Database, defineWorker } from '@service-mcp/core';
import { config } from '../config.js';
import { GRACE_MS } from './refresh-grace.js';
import { SigningKeys } from './signing-keys.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const UNUSED_CLIENT_MS = 90 * DAY_MS;

/** Deletes expired records, unused clients, and grants without tokens. */
const sweep = defineWorker({
  id: 'auth.oauth.sweep',
  uses: { database: Database, clock: Clock },
  everyMs: HOUR_MS,
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
      .delete();
    return { more: false };
  },
});

/** Rotates the signing keys on schedule, and deletes retired ones. */
const maintainKeys = defineWorker({
  id: 'auth.oauth.keys',
  uses: { keys: SigningKeys, settings: config.token },
  everyMs: 10 * 60_000,
  exclusive: true,
  async run({ keys, settings }) {
    await keys.maintain(settings.oauth_key_days);
    return { more: false };
  },
});

export const oauthWorkers = [sweep, maintainKeys];
