import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import type { Outages } from './outages.js';
import { fileGone, identityOf } from './file-identity.js';
import { NO_LOG } from './knex-log.js';
import { StuckTransactionError, StuckTransactions, type RunningTransaction } from './stuck-transaction.js';
import { WalSync } from './wal-sync.js';

const require = createRequire(import.meta.url);

interface Statement {
  all(bindings: readonly unknown[]): unknown[];
  get(bindings: readonly unknown[]): unknown;
}

interface Connection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
}

interface Query {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
}

const BetterSqlite3Client = require('knex/lib/dialects/better-sqlite3/index.js') as new (
  config: Knex.Config,
) => Knex.Client & {
  _query(connection: Connection, query: Query): Promise<unknown>;
  query(connection: Connection, query: Query | string): Promise<unknown>;
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  _formatBindings(bindings: readonly unknown[] | undefined): unknown[];
};
const SqliteTransaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (
  ...args: unknown[]
) => Knex.Transaction;

/** How long a statement waits for another process to finish writing. */
const BUSY_MS = 10_000;
const READS = /^\s*select\b/i;
const WRITES = /^\s*(insert|update|delete|replace|create|drop|alter|with)\b/i;

/**
 * Takes the writer's place at once: a transaction that reads first and writes later could not wait for another
 * process. By `exec`, because libsql leaves a prepared statement that met SQLITE_BUSY open until it is collected,
 * and no transaction of the connection can be committed meanwhile.
 */
async function beginImmediate(connection: Connection): Promise<void> {
  await whileBusy(() => connection.exec('BEGIN IMMEDIATE'));
}

/**
 * The connections in a transaction. SQLite rolls one back by itself when a statement meets a full or failing disk: why
 * is held until the transaction ends, since a further statement would be committed on its own.
 */
const transactions = new WeakMap<
  Connection,
  RunningTransaction & { endedBy?: Promise<unknown>; wrote?: boolean }
>();
/** The connections with commits that may not be on the disk. */
const unsynced = new WeakSet<Connection>();
const ENDS = /^\s*(commit|rollback)\s*(?:;\s*)?$/i;
const ROLLS_BACK = /^\s*rollback\b/i;

class ImmediateTransaction extends SqliteTransaction {
  readonly began = new Error('began');

  async begin(connection: Connection): Promise<void> {
    await beginImmediate(connection);
    transactions.set(connection, { ran: 0, began: this.began });
  }

  /** As knex does, but waits for the release, which brings what was committed to the disk. */
  async acquireConnection<T>(
    config: { readonly connection?: Connection } | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    if (config?.connection) return work(config.connection);
    const client = this.client as Knex.Client;
    const connection = (await client.acquireConnection()) as Connection;
    try {
      return await work(connection);
    } finally {
      await client.releaseConnection(connection);
    }
  }
}

/** Runs a statement of a transaction: none after the one by which SQLite ended it, and its roll-back has no work then. */
async function inTransaction(
  connection: Connection,
  sql: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const state = transactions.get(connection);
  if (state) state.ran += 1;
  if (ENDS.test(sql)) transactions.delete(connection);
  if (state?.endedBy) {
    if (ROLLS_BACK.test(sql)) return;
    const cause = await state.endedBy;
    throw Object.assign(new Error('SQLite has ended the transaction', { cause }), {
      code: (cause as { code?: unknown } | undefined)?.code,
    });
  }
  const answer = run();
  // The driver is synchronous: the statement has run, and what was sent beside it has not.
  if (state && !connection.inTransaction) state.endedBy = answer.catch((error: unknown) => error);
  if (state && !READS.test(sql)) state.wrote ||= !ENDS.test(sql);
  await answer;
  if (state?.wrote && ENDS.test(sql) && !ROLLS_BACK.test(sql)) unsynced.add(connection);
}

/** Tries again, without standing still as busy_timeout would, while another process holds the writer's place. */
async function whileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + BUSY_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }
}

/** Statements that were read with, for each connection, the one used last at the end. Preparing one costs twice its run. */
const kept = new WeakMap<Connection, Map<string, Statement>>();
const MAX_CACHED = 200;
const MAX_CACHED_LENGTH = 4000;

/** Runs a SELECT by its kept statement. One that fails is dropped: libsql may leave it open. */
function read<T>(connection: Connection, sql: string, run: (statement: Statement) => T): T {
  const statements = kept.get(connection) ?? new Map<string, Statement>();
  kept.set(connection, statements);
  const statement = statements.get(sql) ?? connection.prepare(sql);
  statements.delete(sql);
  const answer = run(statement);
  if (sql.length > MAX_CACHED_LENGTH) return answer;
  for (const oldest of statements.keys()) {
    if (statements.size < MAX_CACHED) break;
    statements.delete(oldest);
  }
  statements.set(sql, statement);
  return answer;
}

/** libsql speaks better-sqlite3's interface; its prebuilt binaries need no compiler. */
class LibsqlClient extends BetterSqlite3Client {
  _driver(): unknown {
    return require('libsql') as unknown;
  }

  override async _query(connection: Connection, query: Query): Promise<unknown> {
    if (!transactions.has(connection)) return this.runStatement(connection, query);
    await inTransaction(connection, query.sql, () => this.runStatement(connection, query));
    return query;
  }

  /** Not private: the client of a transaction is made from the prototype. */
  async runStatement(connection: Connection, query: Query): Promise<unknown> {
    if (READS.test(query.sql)) {
      const bindings = this._formatBindings(query.bindings);
      query.response = read(connection, query.sql, (statement) => statement.all(bindings));
      return query;
    }
    if (connection.inTransaction || !WRITES.test(query.sql)) return super._query(connection, query);
    await beginImmediate(connection);
    try {
      const answer = await super._query(connection, query);
      connection.exec('COMMIT');
      unsynced.add(connection);
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

/** The embedded engine in a file. SQLite runs in WAL mode, and WalSync for each commit: an acknowledged write survives a power cut. */
export function openLibsql(file: string, outages: Outages): { readonly sql: Knex; close(): Promise<void> } {
  const log = new WalSync(file);
  /** The file that a connection has open. */
  const opened = new WeakMap<Connection, string>();
  let newest: Connection | undefined;
  const stuck = new StuckTransactions(() => newest && transactions.get(newest));
  // Without fields of its own: knex makes the client of a transaction from the prototype alone.
  class Client extends LibsqlClient {
    override async acquireConnection(): Promise<Connection> {
      try {
        const { pool } = this;
        if (pool && 'numFree' in pool && pool.numFree() > 0) return await super.acquireConnection();
        return await stuck.acquire(
          () => super.acquireConnection(),
          (connection) => super.releaseConnection(connection),
        );
      } catch (error) {
        throw outages.translate(error, error instanceof StuckTransactionError ? 'stuck' : 'unreachable');
      }
    }

    /** Ends where it wrote once that is on the disk: others have the connection meanwhile. */
    override async releaseConnection(connection: Connection): Promise<void> {
      const wrote = unsynced.delete(connection); // before another has it
      await super.releaseConnection(connection);
      if (!wrote) return;
      try {
        await log.flush();
      } catch (error) {
        throw outages.translate(error);
      }
    }

    override async query(connection: Connection, query: Query | string) {
      const text = typeof query === 'string' ? query : query.sql;
      try {
        if (WRITES.test(text) && identityOf(file) !== opened.get(connection)) throw fileGone(file);
        const answer = await super.query(connection, query);
        outages.succeeded(!READS.test(text));
        return answer;
      } catch (error) {
        throw outages.translate(error);
      }
    }
  }

  const sql = knex({
    client: Client as unknown as typeof Knex.Client, // knex's type of a dialect omits members of dialects
    connection: { filename: file },
    useNullAsDefault: true,
    compileSqlOnError: false, // errors are logged, and the values may be secrets
    log: NO_LOG,
    pool: {
      min: 1,
      max: 1, // the driver is synchronous: more connections would only wait for one another
      afterCreate: (connection: Connection, done: (error: Error | null) => void) => {
        opened.set(connection, identityOf(file) ?? '');
        newest = connection;
        const setUp = () =>
          connection.exec(
            'PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 1048576;',
          );
        void whileBusy(setUp).then(
          () => done(null), // oxlint-disable-line promise/no-callback-in-promise -- the pool speaks callbacks
          done,
        );
      },
    },
  });
  return {
    sql,
    async close() {
      await sql.destroy();
      await log.close();
    },
  };
}

/**
 * Leaves the mode of a write-ahead log: the file alone is the whole database then. SQLite does that only where no other
 * connection is open; throws SQLITE_BUSY otherwise. By `exec` for the reason of beginImmediate.
 */
export async function leaveLog(sql: Knex): Promise<void> {
  const client = sql.client as Knex.Client;
  const connection = (await client.acquireConnection()) as Connection;
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } finally {
    await client.releaseConnection(connection);
  }
}

/** A look-up of one row, past the query builder: see Database.prepare. */
export function prepareOnLibsql<Row>(
  sql: Knex,
  text: string,
  outages: Outages,
): (...bindings: readonly string[]) => Promise<Row | undefined> {
  const client = sql.client as Knex.Client;
  return async (...bindings) => {
    const connection = (await client.acquireConnection()) as Connection;
    try {
      return read(connection, text, (statement) => statement.get(bindings)) as Row | undefined; // as its caller says
    } catch (error) {
      throw outages.translate(error);
    } finally {
      await client.releaseConnection(connection);
    }
  };
}
