import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Migration, Plugin } from '../plugin.js';
import { openDatabase } from '../storage/database.js';
import { migrate } from '../storage/migrate.js';
import type { TestDatabase } from './each-database.js';

type Schema = readonly Pick<Plugin, 'id' | 'migrations'>[];

/** By the text of its migrations: the arrays that they are of. The same text of other arrays may do other things. */
const known = new Map<string, readonly (readonly Migration[])[]>();
/** A connection to the server of each database on PostgreSQL that nothing has opened yet. */
const unopened = new WeakMap<TestDatabase, Knex>();

/** Hosts that start at once over one database wait for the same copy. */
const copies = new WeakMap<TestDatabase, Promise<void>>();

/** Lets {@link copySchema} replace a new database on PostgreSQL, until {@link markOpened}. */
export function markNew(database: TestDatabase, server: Knex): void {
  unopened.set(database, server);
}

export function markOpened(database: TestDatabase): void {
  unopened.delete(database);
}

/**
 * Fills an empty database with the tables of these plugins, from a template that was migrated once in the run: a start
 * over a copy takes a third of the processor time. Leaves the database as it is, for the start of a host to
 * migrate, where no `TEST_TEMPLATES` names a folder, where it is not empty, and where a migration fails.
 */
export async function copySchema(
  plugins: Schema,
  target: { readonly dataDir: string; readonly database?: TestDatabase | undefined },
): Promise<void> {
  const folder = process.env['TEST_TEMPLATES'];
  const { database } = target;
  if (!folder) return;
  const copy = (database && copies.get(database)) ?? copyInto(folder, plugins, target);
  if (database) copies.set(database, copy);
  await copy;
}

async function copyInto(
  folder: string,
  plugins: Schema,
  { dataDir, database }: { readonly dataDir: string; readonly database?: TestDatabase | undefined },
): Promise<void> {
  const name = nameOf(plugins);
  if (name === undefined) return;
  if (database?.engine === 'postgresql') await copyPostgres(plugins, name, database);
  else await copySqlite(plugins, join(folder, `${name}.db`), join(dataDir, 'service.db'));
}

/** Undefined where another schema of the same text has the name. */
function nameOf(plugins: Schema): string | undefined {
  const hash = createHash('sha256');
  for (const { id, migrations } of plugins)
    for (const step of migrations) hash.update([id, ...Object.values(step)].map(String).join('\n'));
  const name = `template_${hash.digest('hex').slice(0, 32)}`;
  const arrays = plugins.map(({ migrations }) => migrations).filter(({ length }) => length > 0);
  const same = known.get(name) ?? arrays;
  known.set(name, same);
  return same.every((migrations, at) => migrations === arrays[at]) ? name : undefined;
}

async function copySqlite(plugins: Schema, template: string, file: string): Promise<void> {
  if (await exists(file)) return;
  if (!(await exists(template)) && !(await makeSqlite(plugins, template))) return;
  await mkdir(join(file, '..'), { recursive: true });
  await copyFile(template, file, constants.COPYFILE_EXCL);
}

async function makeSqlite(plugins: Schema, template: string): Promise<boolean> {
  const folder = await mkdtemp(`${template}-`);
  try {
    const file = join(folder, 'service.db');
    await migrateNew(plugins, { file });
    await rename(file, template);
    return true;
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyPostgres(plugins: Schema, template: string, database: TestDatabase): Promise<void> {
  const server = unopened.get(database);
  if (!server) return;
  markOpened(database);
  const url = new URL(database.env['DATABASE_URL'] ?? '');
  const name = url.pathname.slice(1);
  url.pathname = `/${template}`;
  if (!(await isEmpty(server, name)) || !(await makePostgres(server, plugins, url))) return;
  await server.raw('DROP DATABASE ??', [name]);
  await server.raw('CREATE DATABASE ?? TEMPLATE ??', [name, template]);
}

/** One process of the run makes it, the others wait. */
async function makePostgres(sql: Knex, plugins: Schema, url: URL): Promise<boolean> {
  const name = url.pathname.slice(1);
  const made = async () => (await sql('pg_database').where({ datname: name }).first('oid')) !== undefined;
  if (await made()) return true;
  const lock = Number.parseInt(name.slice(-8), 16) % 2 ** 31;
  await sql.raw('SELECT pg_advisory_lock(?)', [lock]);
  try {
    if (await made()) return true;
    const unfinished = `${name}_unfinished`;
    await sql.raw('CREATE DATABASE ??', [unfinished]);
    try {
      await migrateNew(plugins, { file: '', url: url.href.replace(name, unfinished) });
      await sql.raw('ALTER DATABASE ?? RENAME TO ??', [unfinished, name]);
      return true;
    } catch {
      await sql.raw('DROP DATABASE ?? WITH (FORCE)', [unfinished]);
      return false;
    }
  } finally {
    await sql.raw('SELECT pg_advisory_unlock(?)', [lock]);
  }
}

/** A table would add to the size of the database. */
async function isEmpty(sql: Knex, name: string): Promise<boolean> {
  const { rows } = await sql.raw<{ rows: Array<{ empty: boolean }> }>(
    `SELECT pg_database_size(?) = pg_database_size('template1') AS empty`,
    [name],
  );
  return rows[0]?.empty === true;
}

async function migrateNew(plugins: Schema, place: { file: string; url?: string }): Promise<void> {
  const database = await openDatabase({ ...place, connectTimeoutMs: 5000 });
  try {
    await migrate(database, plugins);
    if (database.engine === 'sqlite') await database.sql.raw('PRAGMA wal_checkpoint(TRUNCATE)'); // all in one file
  } finally {
    await database.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
