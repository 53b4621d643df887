import type { Sql } from '../database.js';
import { RESERVE_BYTES, type DiskReserve } from './disk-reserve.js';
import { isOutage } from './outages.js';

/** The probe takes them for a moment: few, since the log of PostgreSQL ends it when it finds no space. */
const MIN_FREE_BYTES = 2 * RESERVE_BYTES;
const PAGE_BYTES = 8192;
/** A backup reads every table to its end: what deletes does not wait for that. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A table in PostgreSQL. Its fill factor leaves one short row in each page, so that it costs little to write and to
 * back up; TRUNCATE gives the pages back to the disk when it commits.
 */
export class TableReserve implements DiskReserve {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async fill(): Promise<void> {
    await this.#change(async (transaction, bytes) => {
      if (bytes >= RESERVE_BYTES) return;
      await probeSpace(transaction, MIN_FREE_BYTES);
      await transaction.raw('TRUNCATE disk_reserve');
      await transaction.raw(
        "INSERT INTO disk_reserve SELECT repeat('x', 400) FROM generate_series(1, ?::int)",
        [RESERVE_BYTES / PAGE_BYTES],
      );
    });
  }

  async release(): Promise<void> {
    await this.#change(async (transaction, bytes) => {
      if (bytes > 0) await transaction.raw('TRUNCATE disk_reserve');
    });
  }

  /** Does nothing where it would wait, or where the disk does not even take the change. */
  async #change(work: (transaction: Sql, bytes: number) => Promise<void>): Promise<void> {
    try {
      await this.#sql.transaction(async (transaction) => {
        await transaction.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        const { rows } = (await transaction.raw("SELECT pg_relation_size('disk_reserve') AS bytes")) as {
          readonly rows: readonly [{ readonly bytes: number }];
        };
        await work(transaction, rows[0].bytes);
      });
    } catch (error) {
      if (!isOutage(error) && (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}

/**
 * Throws the outage of a PostgreSQL whose disk has less free space: it writes so many bytes to a temporary file, which
 * leaves nothing in a table. A row alone finds room in a page that is there.
 */
export async function probeSpace(transaction: Sql, bytes: number): Promise<void> {
  await transaction.raw("SET LOCAL work_mem = '64kB'");
  await transaction.raw(
    "WITH spilled AS MATERIALIZED (SELECT repeat('x', 8000) FROM generate_series(1, ?::int)) SELECT count(*) FROM spilled",
    [Math.ceil(bytes / 8000)],
  );
}
