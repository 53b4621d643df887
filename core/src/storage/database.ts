import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Database, Sql } from '../database.js';
import { BootError } from '../boot/boot-error.js';
import { openLibsql, prepareOnLibsql } from './libsql.js';
import { prepareOnPostgres } from './postgres-lookup.js';

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
  const sql = url === undefined ? openLibsql(file) : postgres(url, options.connectTimeoutMs);
  try {
    await sql.raw('SELECT 1');
  } catch (error) {
    await sql.destroy();
    throw new BootError(
      'database',
      url === undefined ? `the embedded database in ${file} does not open` : 'PostgreSQL does not answer',
      url === undefined
        ? 'Check that the folder is writable and the disk is not full; set SERVICE_DATA_DIR to use another.'
        : 'Check DATABASE_URL, that the server runs and has this database, and that user and password are right.',
      error,
    );
  }
  const opened = url === undefined ? identityOf(file) : undefined;
  const engine = url === undefined ? 'sqlite' : 'postgresql';
  return {
    engine,
    sql,
    transaction: (work) => sql.transaction((transaction) => work(transaction as Sql)),
    prepare: (name, query) =>
      engine === 'sqlite' ? prepareOnLibsql(sql, query) : prepareOnPostgres(sql, name, query),
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

/** bigint and numeric, which counts and sums have: as numbers, as SQLite gives them. No stored value exceeds 2^53. */
const NUMBERS = new Set([20, 1700]);

function getTypeParser(type: number, format?: string): (text: string) => unknown {
  return NUMBERS.has(type)
    ? Number
    : (pg.types.getTypeParser(type, format as 'text') as (text: string) => unknown);
}

function postgres(url: string, connectTimeoutMs: number): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'service-mcp', types: { getTypeParser } },
    pool: { min: 0, max: 10 },
    compileSqlOnError: false, // as in embedded.ts
    acquireConnectionTimeout: connectTimeoutMs,
    log: {
      error: () => undefined,
      warn: () => undefined,
      debug: () => undefined,
      deprecate: () => undefined,
    },
  });
}
