import { Clock, Database, defineWorker } from '@service-mcp/core';
import { DAY_MS, config } from '../config.js';

const BATCH = 5000;

/** Deletes expired sessions, tokens, links and invitations, and audit entries past their retention. */
export const expiry = defineWorker({
  id: 'auth.expiry',
  uses: { database: Database, clock: Clock, settings: config.token },
  everyMs: 60 * 60 * 1000,
  exclusive: true,
  async run({ database, clock, settings }) {
    const { sql } = database;
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
    await sql('sessions').where('expires_at', '<', ago(0)).delete();
    await sql('session_tokens').where('expires_at', '<', ago(0)).delete();
    await sql('reset_tokens').where('expires_at', '<', ago(0)).delete();
    await sql('invitations').where('expires_at', '<', ago(settings.audit_days)).delete();
    const oldest = sql('audit_log').where('at', '<', ago(settings.audit_days)).limit(BATCH).select('id');
    const dropped = await sql('audit_log').whereIn('id', oldest).delete();
    return { more: dropped === BATCH };
  },
});
