import { createRequire } from 'node:module';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database, Sql } from '../services.js';
import { BootError } from './boot-error.js';

const require = createRequire(import.meta.url);

interface Connection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
}

const BetterSqlite3Client = require('knex/lib/dialects/better-sqlite3/index.js') as new (
  config: Knex.Config,
) => Knex.Client & { _query(connection: Connection, query: { sql: string }): Promise<unknown> };
const SqliteTransaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (
  ...args: unknown[]
) => Knex.Transaction;

/** How long a statement waits for another process to finish writing. */
const BUSY_MS = 10_000;
const WRITES = /^\s*(insert|update|delete|replace|create|drop|alter|with)\b/i;

/**
 * Takes the writer's place at once: a transaction that reads first and writes later could not wait for another
 * process. By `exec`, because libsql leaves a prepared statement that met SQLITE_BUSY open until it is collected,
 * and no transaction of the connection can be committed meanwhile.
 */
async function beginImmediate(connection: Connection): Promise<void> {
  await whileBusy(() => connection.exec('BEGIN IMMEDIATE'));
}

class ImmediateTransaction extends SqliteTransaction {
  begin(connection: Connection): Promise<void> {
    return beginImmediate(connection);
  }
}

/** Tries again, without standing still as busy_timeout would, while another process holds the writer's place. */
async function whileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  for (const giveUpAt = Date.now() + BUSY_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }
}

/** libsql speaks better-sqlite3's interface; its prebuilt binaries need no compiler. */
class LibsqlClient extends BetterSqlite3Client {
  _driver(): unknown {
    return require('libsql') as unknown;
  }

  override async _query(connection: Connection, query: { sql: string }): Promise<unknown> {
    if (connection.inTransaction || !WRITES.test(query.sql)) return super._query(connection, query);
    await beginImmediate(connection);
    try {
      const answer = await super._query(connection, query);
      connection.exec('COMMIT');
      return answer;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  override transaction(...args: unknown[]): Knex.Transaction {
    return new ImmediateTransaction(this, ...args);
  }
}

export interface DatabaseOptions {
  readonly url?: string | undefined;
  /** Of the embedded engine, where there is no `url`. */
  readonly file: string;
  /** How long PostgreSQL is tried, so that one which starts at the same time may come up. */
  readonly connectTimeoutMs: number;
}

/**
 * Opens the deployment's database: PostgreSQL at `url`, or SQLite in `file` (made with its folder).
 * SQLite runs in WAL mode with synchronous FULL: an acknowledged write survives a power cut.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database & { close(): Promise<void> }> {
  const { url, file } = options;
  if (url === undefined) mkdirSync(dirname(file), { recursive: true });
  const sql = url === undefined ? embedded(file) : postgres(url, options.connectTimeoutMs);
  try {
    await sql.raw('SELECT 1');
  } catch (error) {
    await sql.destroy();
    throw new BootError(
      'database',
      url === undefined ? `the embedded database in ${file} does not open` : 'PostgreSQL does not answer',
      url === undefined
        ? 'Check that the folder is writable and the disk is not full; set SERVICE_DATA_DIR to use another.'
        : 'Check DATABASE_URL, that the server runs, and that user and password are right.',
      error,
    );
  }
  const opened = url === undefined ? identityOf(file) : undefined;
  const engine = url === undefined ? 'sqlite' : 'postgresql';
  return {
    engine,
    sql,
    transaction: (work) => sql.transaction((transaction) => work(transaction as Sql)),
    rows: async <T>(query: string, bindings: readonly string[]) => {
      const answer = (await sql.raw(query, bindings)) as T[] | { readonly rows: T[] }; // as each driver gives it
      return Array.isArray(answer) ? answer : answer.rows;
    },
    claiming: (query) => (engine === 'postgresql' ? (query.forUpdate().skipLocked() as typeof query) : query),
    ping: async () => {
      await sql.raw('SELECT 1');
      // A deleted file takes writes as before, and loses them when the process ends.
      if (opened !== undefined && identityOf(file) !== opened) throw new Error('the file was replaced');
    },
    close: () => sql.destroy(),
  };
}

/** Which file a path leads to; throws where there is none. */
function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev} ${ino}`;
}

function embedded(file: string): Knex {
  return knex({
    client: LibsqlClient as unknown as typeof Knex.Client, // knex's type of a dialect leaves out what dialects are made of
    connection: { filename: file },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1, // the driver is synchronous: more connections would only wait for one another
      afterCreate: (connection: Connection, done: (error: Error | null) => void) => {
        const setUp = () =>
          connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
        void whileBusy(setUp).then(
          () => done(null), // oxlint-disable-line promise/no-callback-in-promise -- the pool speaks callbacks
          done,
        );
      },
    },
  });
}

function postgres(url: string, connectTimeoutMs: number): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'service-mcp' },
    pool: { min: 0, max: 10 },
    acquireConnectionTimeout: connectTimeoutMs,
    log: {
      error: () => undefined,
      warn: () => undefined,
      debug: () => undefined,
      deprecate: () => undefined,
    },
  });
}
