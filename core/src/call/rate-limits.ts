import type { RateState } from '../caller.js';
import type { Database } from '../database.js';
import type { Clock, RateLimits } from '../services.js';
import { isOutage } from '../storage/outages.js';

/** One key in this process: what it holds of the window that ends at `endsAt`. */
interface Held {
  endsAt: number;
  /** Units leased from the database and not used. */
  left: number;
  /** Units that were leased in this window, here and, as last seen, elsewhere. */
  leased: number;
  /** Units that the database had left to lease, when it was last asked. */
  others: number;
  /** A pending lease; calls that arrive meanwhile wait for it. */
  leasing: Promise<void> | undefined;
}

const SHARE = 20;
const MAX_KEYS = 10_000;

/** Counters in the table `rate_counters`; see RateLimits. */
export function createRateLimits(database: Database, clock: Clock): RateLimits & { expire(): Promise<void> } {
  const held = new Map<string, Held>();

  async function lease(key: string, holding: Held, limit: number, window: number): Promise<void> {
    const units = Math.max(1, Math.floor(limit / SHARE));
    // A database that takes no writes must not end reads: this process counts by itself meanwhile.
    const used = await add(database, key, { endsAt: holding.endsAt, window }, units).catch(
      (error: unknown) => {
        if (!isOutage(error)) throw error;
        return holding.leased + units;
      },
    );
    holding.leased = used;
    holding.left = Math.max(0, Math.min(units, limit - (used - units)));
    holding.others = Math.max(0, limit - used);
  }

  function holdingOf(key: string, endsAt: number): Held {
    const known = held.get(key);
    if (known?.endsAt === endsAt) return known;
    const fresh: Held = { endsAt, left: 0, leased: 0, others: 1, leasing: undefined };
    if (held.size >= MAX_KEYS) forgetEnded(held, clock.now().getTime());
    held.set(key, fresh);
    return fresh;
  }

  return {
    async take(key, { limit, windowSeconds }) {
      const now = clock.now().getTime();
      const window = windowSeconds * 1000;
      const endsAt = (Math.floor(now / window) + 1) * window;
      const holding = holdingOf(key, endsAt);
      while (holding.left === 0 && holding.others > 0) {
        holding.leasing ??= lease(key, holding, limit, window).finally(() => {
          holding.leasing = undefined;
        });
        await holding.leasing;
      }
      const allowed = holding.left > 0;
      if (allowed) holding.left -= 1;
      const resetSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
      return { allowed, limit, remaining: holding.left + holding.others, resetSeconds } satisfies RateState;
    },
    async clear(key) {
      held.delete(key);
      await database.sql('rate_counters').where({ key }).delete();
    },
    async expire() {
      const now = clock.now().getTime();
      forgetEnded(held, now);
      await database.sql('rate_counters').where('ends_at', '<', now).delete();
    },
  };
}

/**
 * Adds to a counter, which resets in a new window. Returns its value. The next window counts too, which a process has begun
 * whose clock is ahead; one still later is of a clock that was set back since.
 */
async function add(
  database: Database,
  key: string,
  { endsAt, window }: { readonly endsAt: number; readonly window: number },
  units: number,
): Promise<number> {
  const { sql } = database;
  const isCurrent = 'rate_counters.ends_at BETWEEN ? AND ?';
  const range = [endsAt, endsAt + window];
  const [row] = (await sql('rate_counters')
    .insert({ key, ends_at: endsAt, used: units })
    .onConflict('key')
    .merge({
      used: sql.raw(`CASE WHEN ${isCurrent} THEN rate_counters.used ELSE 0 END + ?`, [...range, units]),
      ends_at: sql.raw(`CASE WHEN ${isCurrent} THEN rate_counters.ends_at ELSE ? END`, [...range, endsAt]),
    })
    .returning('used')) as [{ used: number }];
  return row.used;
}

function forgetEnded(held: Map<string, Held>, now: number): void {
  for (const [key, { endsAt }] of held) if (endsAt <= now) held.delete(key);
  // Keys of one window alone, as a flood of new peers makes them: the oldest give way, and lease again.
  for (const key of held.keys()) {
    if (held.size < MAX_KEYS) return;
    held.delete(key);
  }
}
