import { Clock, Database, defineWorker } from '@service-mcp/core';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets what undo needs thirty days after the change: what was deleted is gone for good then. */
export const expireChanges = defineWorker({
  id: 'memory.expire-changes',
  uses: { database: Database, clock: Clock },
  everyMs: 60 * 60 * 1000,
  exclusive: true,
  async run({ database, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS).toISOString();
    await database.sql('memory_changes').where('changed_at', '<', before).delete();
    return { more: false };
  },
});
