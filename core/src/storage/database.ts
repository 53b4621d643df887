import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import type { Database, Sql } from '../database.js';
import type { Log } from '../log.js';
import { BootError } from '../boot/boot-error.js';
import { ServiceError } from '../errors.js';
import { fileGone, identityOf } from './file-identity.js';
import { FileReserve } from './file-reserve.js';
import { isRolledBackForAnother, MAX_ATTEMPTS, Outages } from './outages.js';
import type { PostgresOptions } from './postgres.js';
import { probeSpace, TableReserve } from './table-reserve.js';

export interface DatabaseOptions {
  readonly url?: string | undefined;
  /** Of the embedded engine, where there is no `url`. */
  readonly file: string;
  /** How long PostgreSQL is tried, so that one which starts at the same time may come up. */
  readonly connectTimeoutMs: number;
  /** How long a query to PostgreSQL may be silent where the server cannot be asked about it; see SilentConnections. Default: for ever. */
  readonly queryTimeoutMs?: number;
  /** Where outages are logged. */
  readonly log?: Log;
}

export interface OpenDatabase extends Database {
  close(): Promise<void>;
  /** While the disk is full: gives up the reserve, so that something can be deleted. */
  makeRoom(): Promise<void>;
  /** Keeps a reserve for `makeRoom`. */
  expire(): Promise<void>;
}

/** How often a probe writes. */
const PROBE_EVERY_MS = 5_000;
const PROBE_BYTES = 512 * 1024;

/**
 * Opens the deployment's database: PostgreSQL at `url`, or SQLite in `file` (made with its folder).
 * An acknowledged write survives a power cut.
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { url, file, connectTimeoutMs, queryTimeoutMs = Infinity } = options;
  const outages = new Outages();
  if (url === undefined) createPrivateFile(file);
  const pool =
    url === undefined
      ? await openEmbedded(file, outages)
      : await openServer({ url, connectTimeoutMs, queryTimeoutMs }, outages);
  const { sql } = pool;
  try {
    await sql.raw('SELECT 1');
  } catch (error) {
    await pool.close();
    const { problem, remedy } = pool.describeFailure(error);
    throw new BootError('database', problem, remedy, error);
  }
  outages.logTo(options.log);
  const opened = url === undefined ? identityOf(file) : undefined;
  const engine = url === undefined ? 'sqlite' : 'postgresql';
  const reserve = url === undefined ? new FileReserve(file) : new TableReserve(sql);
  let probedAt = -Infinity;
  /** Throws the outage of a database that takes no writes; a probe alone may find room that real writes do not. */
  const probeWrites = async () => {
    const now = performance.now();
    if (outages.writeOutage || now - probedAt >= PROBE_EVERY_MS) {
      probedAt = now;
      if (engine === 'postgresql')
        await sql.transaction((transaction) => probeSpace(transaction, PROBE_BYTES));
      const row = { name: 'write-probe', value: new Date().toISOString() };
      await sql('deployment_values')
        .insert(row)
        .onConflict('name')
        .merge()
        .catch((error: unknown) => {
          if (!/no such table|does not exist/.test(String(error))) throw error; // not migrated yet
        });
    }
    if (outages.writeOutage) throw outages.error(outages.writeOutage);
  };
  return {
    engine,
    sql,
    async transaction(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sql.transaction((transaction) => work(transaction as Sql));
        } catch (error) {
          const isRolledBack = isRolledBackForAnother(error);
          if (attempt < MAX_ATTEMPTS && isRolledBack) continue;
          throw outages.translate(error, isRolledBack ? 'busy' : undefined); // SQLite begins outside of a query
        }
      }
    },
    prepare: pool.prepare,
    ping: async () => {
      await sql.raw('SELECT 1');
      if (opened !== undefined && identityOf(file) !== opened) throw outages.translate(fileGone(file));
      await probeWrites();
    },
    async makeRoom() {
      if (outages.writeOutage === 'disk_full') await reserve.release();
    },
    expire: async () => reserve.fill(),
    close() {
      outages.logTo(undefined); // a stop says itself what happens
      return pool.close();
    },
  };
}

/** What differs by engine. A driver is loaded with its first database: commands and the gateway have none. */
interface Pool {
  readonly sql: Knex;
  readonly prepare: Database['prepare'];
  close(): Promise<void>;
  describeFailure(error: unknown): { readonly problem: string; readonly remedy: string };
}

async function openEmbedded(file: string, outages: Outages): Promise<Pool> {
  const { openLibsql, prepareOnLibsql } = await import('./libsql.js');
  const pool = openLibsql(file, outages);
  return {
    ...pool,
    prepare: (_name, query) => prepareOnLibsql(pool.sql, query, outages),
    describeFailure: (error) => unopened(file, error),
  };
}

async function openServer(options: PostgresOptions, outages: Outages): Promise<Pool> {
  const { openPostgres, unconnected } = await import('./postgres.js');
  const { prepareOnPostgres } = await import('./postgres-lookup.js');
  const pool = openPostgres(options, outages);
  return {
    ...pool,
    prepare: (name, query) => prepareOnPostgres(pool.sql, name, query),
    describeFailure: unconnected,
  };
}

const DAMAGED = /not a database|malformed|corrupt/i;

function unopened(file: string, error: unknown) {
  if (DAMAGED.test(String(error instanceof Error ? (error.cause ?? error) : error)))
    return {
      problem: `the embedded database in ${file} is damaged`,
      remedy:
        'Restore it from a backup. Move it away to begin with an empty one, which the search index then follows.',
    };
  if (error instanceof ServiceError && error.details?.['reason'] === 'busy')
    return {
      problem: `another process keeps the embedded database in ${file} locked, as a copy or a migration does`,
      remedy: 'Wait until it is done, then try again.',
    };
  return {
    problem: `the embedded database in ${file} does not open`,
    remedy:
      'Check that the folder is writable and the disk is not full; set SERVICE_DATA_DIR to use another.',
  };
}

/**
 * SQLite gives the files beside it the same mode. A file that exists is never opened here: closing it would release the
 * locks of every connection of this process (POSIX), and what those write next would be lost with the write-ahead log,
 * which the next process to end would delete as the last one.
 */
function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or opening it says what is wrong.
  }
}
