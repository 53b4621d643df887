import type { Database } from '../database.js';
import { defineWorker } from '../plugin.js';
import type { HealthCheck } from '../services.js';
import { isOutage } from '../storage/outages.js';

const ID = 'core.presence';
const EVERY_MS = 5_000;

/** Runs in every `service-mcp worker`: one of them holds its lease, which shows services that there is one. */
export const workerPresence = defineWorker({
  id: ID,
  uses: {},
  everyMs: EVERY_MS,
  exclusive: true,
  run: () => Promise.resolve({ more: false }),
});

/** Whether any process does the work of a service that leaves it to others. */
export function checkWorkersElsewhere(database: Database): HealthCheck {
  return {
    name: 'background work',
    async check() {
      // Another worker takes the lease of a killed one at its next round.
      const since = new Date(Date.now() - EVERY_MS).toISOString();
      const held = database
        .sql('leases')
        .where({ name: `worker:${ID}` })
        .where('expires_at', '>', since);
      if (await held.first('name')) return { status: 'ok', message: 'done by service-mcp worker' };
      if (await refusesWrites(database))
        return {
          status: 'degraded',
          message:
            'not known: the database takes no writes, by which a service-mcp worker shows that it runs',
        };
      return {
        status: 'degraded',
        message: 'no service-mcp worker runs over this database: nothing new is indexed until one is started',
      };
    },
  };
}

async function refusesWrites(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return false;
  } catch (error) {
    if (isOutage(error)) return true;
    throw error;
  }
}
