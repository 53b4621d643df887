import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database, Sql } from '../services.js';
import { BootError } from './boot-error.js';

const require = createRequire(import.meta.url);

type Client = typeof Knex.Client;
type Connection = { exec(sql: string): void };

const BetterSqlite3Client = require('knex/lib/dialects/better-sqlite3/index.js') as Client;
const SqliteTransaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (
  ...args: unknown[]
) => Knex.Transaction & { query(connection: Connection, sql: string): Promise<unknown> };

/** Takes the writer's place at once: a transaction that reads first and writes later could not wait for another process. */
class ImmediateTransaction extends SqliteTransaction {
  begin(connection: Connection): Promise<unknown> {
    return this.query(connection, 'BEGIN IMMEDIATE;');
  }
}

/** libsql speaks better-sqlite3's interface; its prebuilt binaries need no compiler. */
class LibsqlClient extends BetterSqlite3Client {
  _driver(): unknown {
    return require('libsql') as unknown;
  }

  override transaction(...args: unknown[]): Knex.Transaction {
    return new ImmediateTransaction(this, ...args);
  }
}

/**
 * Opens the deployment's database: PostgreSQL at `url`, or SQLite in `file` (made with its folder).
 * SQLite runs in WAL mode with synchronous FULL: an acknowledged write survives a power cut.
 */
export async function openDatabase(options: {
  url?: string | undefined;
  file: string;
}): Promise<Database & { close(): Promise<void> }> {
  const { url, file } = options;
  if (url === undefined) mkdirSync(dirname(file), { recursive: true });
  const sql = url === undefined ? embedded(file) : postgres(url);
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
  const engine = url === undefined ? 'sqlite' : 'postgresql';
  return {
    engine,
    sql,
    transaction: (work) => sql.transaction((transaction) => work(transaction as Sql)),
    claiming: (query) => (engine === 'postgresql' ? (query.forUpdate().skipLocked() as typeof query) : query),
    ping: async () => {
      await sql.raw('SELECT 1');
    },
    close: () => sql.destroy(),
  };
}

function embedded(file: string): Knex {
  return knex({
    client: LibsqlClient,
    connection: { filename: file },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1, // the driver is synchronous: more connections would only wait for one another
      afterCreate: (connection: Connection, done: (error: Error | null) => void) => {
        connection.exec(
          'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;',
        );
        done(null);
      },
    },
  });
}

function postgres(url: string): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'service-mcp' },
    pool: { min: 0, max: 10 },
    acquireConnectionTimeout: 10_000,
  });
}
