import type { Database, Sql } from '../database.js';

/**
 * Starts calls on PostgreSQL while a transaction holds a lock, each once the ones before it wait for a lock or have ended, and
 * lets them go on together.
 */
export async function behindLock<T>(
  { sql }: Pick<Database, 'sql'>,
  lock: (sql: Sql) => PromiseLike<unknown>,
  calls: ReadonlyArray<() => Promise<T>>,
): Promise<Array<PromiseSettledResult<T>>> {
  const holder = await sql.transaction();
  const running: Array<Promise<T>> = [];
  let ended = 0;
  const end = () => void (ended += 1);
  try {
    await lock(holder);
    for (const call of calls) {
      const started = call();
      started.then(end, end);
      running.push(started);
      while ((await countWaiting(sql)) + ended < running.length)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await holder.commit();
  }
  return Promise.allSettled(running);
}

/** Queries of the database that wait for a lock. */
async function countWaiting(sql: Sql): Promise<number> {
  const { rows } = await sql.raw<{ rows: Array<{ calls: number }> }>(
    "SELECT count(*) AS calls FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return Number(rows[0]?.calls);
}
