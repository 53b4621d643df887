import type { CallUsage, UsageRequest, UsageRow } from '../call-usage.js';
import type { Database } from '../database.js';
import type { Log } from '../log.js';
import type { Clock } from '../services.js';
import { isOutage } from '../storage/outages.js';
import type { ObserveCall } from './call-metrics.js';

const FLUSH_INTERVAL_MS = 30_000;
const HOUR_MS = 60 * 60 * 1000;
const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;
/** Rows that wait in memory, such as during an outage of the database; further ones are not counted. */
const MAX_WAITING = 10_000;
/** SQLite takes 32,766 parameters. */
const ROWS_AT_ONCE = 500;
/** The last bucket holds everything longer: over a minute. */
const LAST_BUCKET = 17;
const KEY = ['hour', 'workspace_id', 'tool', 'outcome', 'bucket'] as const;
/** Characters of an RFC 3339 time that name the period. */
const DIGITS = { hour: 13, day: 10 } as const;

/** A row of `call_usage`: calls of one hour (`2026-11-22T21`) that took between 2^(bucket-1) and 2^bucket milliseconds. */
interface StoredRow extends Omit<UsageRow, 'start' | 'upperMs' | 'calls'> {
  calls: number;
  readonly hour: string;
  readonly workspace_id: string;
  readonly bucket: number;
}

/** The sum is a text on PostgreSQL. */
interface SummedRow extends Omit<StoredRow, 'hour' | 'calls'> {
  readonly period: string;
  readonly calls: number | string;
}

/**
 * Counts of calls in the table `call_usage`, summed in memory and written twice a minute: a call writes nothing, and any
 * number of processes add to the same rows.
 */
export function createCallUsage(database: Database, clock: Clock, log: Log) {
  const waiting = new Map<string, StoredRow>();
  let flushing: Promise<void> = Promise.resolve();

  function add(row: StoredRow): void {
    const key = keyOf(row);
    const known = waiting.get(key);
    if (known) known.calls += row.calls;
    else if (waiting.size < MAX_WAITING) waiting.set(key, row);
  }

  async function write(): Promise<void> {
    const rows = [...waiting.values()];
    waiting.clear();
    try {
      await database.transaction(async (sql) => {
        const sum = { calls: sql.raw('call_usage.calls + excluded.calls') };
        // One order in all processes: two that write the same rows wait for each other, and never in a circle.
        const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE)
          await sql('call_usage')
            .insert(sorted.slice(at, at + ROWS_AT_ONCE))
            .onConflict([...KEY])
            .merge(sum);
      });
    } catch (error) {
      for (const row of rows) add(row);
      throw error;
    }
  }
  const flush = () =>
    (flushing = flushing.catch(() => undefined).then(() => (waiting.size > 0 ? write() : undefined)));
  const timer = setInterval(() => {
    flush().catch((err: unknown) => log.warn({ err }, 'saving the usage of calls failed'));
  }, FLUSH_INTERVAL_MS);
  timer.unref();

  let latest = { number: -1, hour: '' };
  /** The hour of a call, whose text is made once: that costs as much as counting. */
  function hourOf(time: Date): string {
    const number = Math.floor(time.getTime() / HOUR_MS);
    if (number !== latest.number) latest = { number, hour: time.toISOString().slice(0, DIGITS.hour) };
    return latest.hour;
  }

  const observe: ObserveCall = ({ tool, code: outcome, seconds, workspaceId: workspace_id = '' }) => {
    const hour = hourOf(clock.now());
    const bucket = Math.min(LAST_BUCKET, Math.max(0, Math.ceil(Math.log2(seconds * 1000))));
    add({ hour, workspace_id, tool, outcome, bucket, calls: 1 });
  };

  const usage: CallUsage = {
    async read({ since, until, granularity, workspaceId }: UsageRequest) {
      await flush().catch((error: unknown) => {
        if (!isOutage(error)) throw error; // the counts wait: what is stored can be read while nothing can be written
      });
      const period = database.sql.raw(`substr(hour, 1, ${DIGITS[granularity]})`);
      const rows = (await database
        .sql('call_usage')
        .where('hour', '>=', since.toISOString().slice(0, DIGITS.hour))
        .where('hour', '<=', new Date(until.getTime() - 1).toISOString().slice(0, DIGITS.hour))
        .where(workspaceId === undefined ? {} : { workspace_id: workspaceId })
        .groupByRaw(period)
        .groupBy('tool', 'outcome', 'bucket')
        .select({ period }, 'tool', 'outcome', 'bucket')
        .sum({ calls: 'calls' })) as SummedRow[];
      return rows.map(({ period: start, tool, outcome, bucket, calls }) => ({
        start: new Date(granularity === 'day' ? start : `${start}:00Z`).toISOString(),
        tool,
        outcome,
        calls: Number(calls),
        upperMs: 2 ** bucket,
      }));
    },
  };
  return {
    ...usage,
    observe,
    flush,
    async expire() {
      const oldest = new Date(clock.now().getTime() - RETENTION_MS).toISOString();
      await database.sql('call_usage').where('hour', '<', oldest).delete();
    },
    async close() {
      clearInterval(timer);
      await flush().catch((err: unknown) => log.warn({ err }, 'saving the usage of calls failed'));
    },
  };
}

const keyOf = ({ hour, workspace_id, tool, outcome, bucket }: StoredRow) =>
  `${hour} ${workspace_id} ${tool} ${outcome} ${bucket}`;
