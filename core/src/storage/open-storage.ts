import { defineWorker } from '../plugin.js';
import type { Log } from '../log.js';
import type { Clock } from '../services.js';
import type { CoreConfig } from '../boot/config.js';
import { openDatabase } from './database.js';
import { createEvents, settleEvents } from '../events/event-log.js';
import { EventFeed } from '../events/event-feed.js';
import { createCallUsage } from '../call/call-usage.js';
import { Idempotency } from '../call/idempotency.js';
import { databaseOptions, type LoadedDeployment } from '../boot/load.js';
import { migrate } from './migrate.js';
import { createRateLimits } from '../call/rate-limits.js';
import { readInstallationId } from './installation-id.js';
import { openSeal } from './seal.js';
import { createSessions } from './sessions.js';
import { withWriteRights } from './write-rights.js';

/** Opens and migrates the database, and creates the stores of core. */
export async function openStored(
  loaded: LoadedDeployment,
  {
    clock,
    log,
    processId,
    lists,
    stops,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly processId: string;
    /** See {@link Sessions.lists}. */
    readonly lists: string;
    readonly stops: Array<() => unknown>;
  },
) {
  const database = await openDatabase({ ...databaseOptions(loaded), log });
  stops.push(() => database.close());
  await withWriteRights(async () => {
    await migrate(database, loaded.plugins);
    await settleEvents(database);
  });
  const events = createEvents(database, clock, log);
  const feed = new EventFeed(events, log);
  stops.push(() => feed.stop());
  const sessions = createSessions(database, clock, { ...sessionLimits(loaded.config), lists });
  const rateLimits = createRateLimits(database, clock);
  const idempotency = new Idempotency(database, clock, processId);
  stops.push(() => idempotency.close());
  const usage = createCallUsage(database, clock, log);
  stops.push(() => usage.close());
  const seal = await openSeal(database);
  const installation = await readInstallationId(database);
  const housekeeper = housekeeping([database, events, rateLimits, idempotency, sessions, usage]);
  return {
    database,
    installation,
    events,
    feed,
    sessions,
    rateLimits,
    idempotency,
    seal,
    usage,
    housekeeper,
  };
}

export function sessionLimits({ sessions }: CoreConfig) {
  return { perCaller: sessions.per_credential, idleMs: sessions.idle_minutes * 60_000 };
}

/** Deletes expired records. */
function housekeeping(parts: ReadonlyArray<{ expire(): Promise<void> }>) {
  return defineWorker({
    id: 'core.housekeeping',
    uses: {},
    everyMs: 10 * 60 * 1000,
    exclusive: true,
    async run() {
      for (const part of parts) await part.expire();
      return { more: false };
    },
  });
}
