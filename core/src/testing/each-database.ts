import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import type { Database } from '../database.js';
import type { Log } from '../log.js';
import { openDatabase } from '../storage/database.js';
import { markNew, markOpened } from './schema-templates.js';

/** A fresh, empty logical database. */
export interface TestDatabase {
  readonly engine: 'sqlite' | 'postgresql';
  /** Environment variables for a deployment over it. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder of its own, empty. */
  readonly dataDir: string;
  /** Opens it, with its outages in a log; the caller closes what it opened. */
  open(log?: Log): Promise<Database & { close(): Promise<void> }>;
  drop(): Promise<void>;
}

/**
 * Runs a suite on SQLite and on PostgreSQL. `fresh` makes an empty database, gone when the suite ends.
 * PostgreSQL comes from `TEST_DATABASE_URL`, a server where the tests may create databases: the test run of this repository
 * sets it. Without it the suite fails, unless mocha leaves it out: `npm test -- --grep "on postgresql" --invert`.
 */
export function eachDatabase(
  suite: (fresh: () => Promise<TestDatabase>, engine: TestDatabase['engine']) => void,
): void {
  for (const engine of ['sqlite', 'postgresql'] as const) onDatabase(engine, (fresh) => suite(fresh, engine));
}

/** {@link eachDatabase} on one engine: for suites that run on the other one with the long tests. */
export function onDatabase(
  engine: TestDatabase['engine'],
  suite: (fresh: () => Promise<TestDatabase>) => void,
): void {
  describe(`on ${engine}`, () => {
    const made: TestDatabase[] = [];
    after(async () => {
      for (const database of made.splice(0)) await database.drop();
    });
    suite(async () => {
      const database = await freshDatabase(engine);
      made.push(database);
      return database;
    });
  });
}

/** An empty database that the caller drops. PostgreSQL as in {@link eachDatabase}. */
export function freshDatabase(engine: TestDatabase['engine']): Promise<TestDatabase> {
  return engine === 'sqlite' ? freshSqlite() : freshPostgres();
}

/** Remembers that it has been opened. */
function testDatabase(init: TestDatabase): TestDatabase {
  const database: TestDatabase = {
    ...init,
    open(log) {
      markOpened(database);
      return init.open(log);
    },
  };
  return database;
}

async function freshSqlite(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-test-'));
  return testDatabase({
    engine: 'sqlite',
    env: {},
    dataDir,
    open: (log) =>
      openDatabase({ file: join(dataDir, 'service.db'), connectTimeoutMs: 5000, ...(log && { log }) }),
    drop: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  });
}

async function freshPostgres(): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server)
    throw new Error(
      'TEST_DATABASE_URL is not set. Give the address of a PostgreSQL server where the tests may create databases, such as postgres://USER:PASSWORD@127.0.0.1/postgres, or leave it out with: npm test -- --grep "on postgresql" --invert. In the repository of the service npm test starts one.',
    );
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = knex({ client: 'pg', connection: server, pool: { min: 0, max: 1 } });
  await admin.raw(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-test-'));
  const database = testDatabase({
    engine: 'postgresql',
    env: { DATABASE_URL: url.href },
    dataDir,
    open: (log) => openDatabase({ url: url.href, file: '', connectTimeoutMs: 5000, ...(log && { log }) }),
    async drop() {
      await admin.raw(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.destroy();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  });
  markNew(database, admin);
  return database;
}
