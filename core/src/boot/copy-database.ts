import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database, Sql } from '../database.js';
import { openDatabase, type DatabaseOptions } from '../storage/database.js';
import { createFormerPlugins, migrate } from '../storage/migrate.js';
import { markPostgres } from '../storage/postgres-marker.js';
import { withWriteRights } from '../storage/write-rights.js';
import { systemReason } from '../wire/system-error.js';
import { BootError } from './boot-error.js';
import { databaseOptions, type LoadedDeployment } from './load.js';

/** Rows in one insert: PostgreSQL takes 65,535 values, and a row of contents may have a megabyte. */
const BATCH_ROWS = 100;
/** Each engine has its own: the steps that were applied, and what is kept for a full disk. */
const OWN_TABLES = new Set(['schema_migrations', 'disk_reserve']);
/** Their holders are processes that have ended. */
const PASSING_TABLES = new Set(['leases']);

/**
 * Copies every row of the embedded database in `folder` into the PostgreSQL of a deployment, in one transaction, with
 * ids, times and secrets as they are. Brings both up to date first. Returns the number of rows by table, and the file that
 * the embedded database is then: without DATABASE_URL nothing opens it. Throws BootError where the deployment has no
 * PostgreSQL, where that holds rows already, where another process uses the embedded database, or where tables of a plugin
 * would be lost.
 */
export async function copyDatabase(
  loaded: LoadedDeployment,
  folder: string,
): Promise<{ readonly copied: ReadonlyMap<string, number>; readonly movedTo: string }> {
  const options = { ...databaseOptions(loaded), queryTimeoutMs: Infinity };
  if (options.url === undefined)
    throw new BootError(
      'database',
      'this deployment has no PostgreSQL to copy to',
      'Set DATABASE_URL to an empty PostgreSQL database.',
    );
  const file = join(folder, 'service.db');
  const movedTo = join(folder, 'service.db.moved');
  if (!existsSync(file))
    throw new BootError(
      '--from',
      `${file} does not exist`,
      existsSync(movedTo)
        ? `It was copied before, and is ${movedTo} since. To copy it once more, rename it to service.db.`
        : 'Name the data folder of the embedded database.',
    );
  return { copied: await copyFile(file, movedTo, loaded, options), movedTo };
}

async function copyFile(
  file: string,
  movedTo: string,
  loaded: LoadedDeployment,
  options: DatabaseOptions,
): Promise<ReadonlyMap<string, number>> {
  const source = await openDatabase({ ...options, url: undefined, file });
  try {
    const target = await openDatabase(options);
    try {
      await refuseOtherUsers(source, file);
      await migrate(source, loaded.plugins);
      await refuseFormerPlugins(source, loaded);
      await withWriteRights(() => migrate(target, loaded.plugins));
      // The transaction of the source keeps others from writing to it, until nothing opens it any longer.
      return await source.transaction(async (from) => {
        const copied = await target.transaction((to) => copyTables(from, to));
        setAside(file, movedTo);
        return copied;
      });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function refuseOtherUsers({ sql }: Database, file: string): Promise<void> {
  const { leaveLog } = await import('../storage/libsql.js');
  try {
    await leaveLog(sql);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new BootError(
      '--from',
      `another process uses ${file}, and what it writes from now on would not be copied`,
      'Stop the service and its workers, then run the command again. Nothing was copied.',
      error,
    );
  }
}

/** Leaves nothing in the folder that a process without DATABASE_URL would open. */
function setAside(file: string, movedTo: string): void {
  try {
    markPostgres(dirname(file));
    renameSync(file, movedTo);
    rmSync(`${file}.reserve`, { force: true });
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException; // all that is thrown here is the system's
    throw new BootError(
      '--from',
      `everything was copied, but ${file} cannot be set aside (${systemReason(code)})`,
      'Move it away, then start the service with DATABASE_URL.',
      error,
    );
  }
}

async function refuseFormerPlugins(source: Database, loaded: LoadedDeployment): Promise<void> {
  const [former] = await createFormerPlugins(loaded.plugins).ids(source.sql);
  if (former === undefined) return;
  throw new BootError(
    'database',
    `it has tables of the plugin "${former}", which is not enabled, so that they would not be copied`,
    'Enable the plugin for the copy (--config).',
  );
}

async function copyTables(from: Sql, to: Sql): Promise<ReadonlyMap<string, number>> {
  const names = (await from('sqlite_master')
    .where({ type: 'table' })
    .whereNot('name', 'like', 'sqlite%')
    .orderBy('rowid')
    .pluck('name')) as string[];
  const tables = names.filter((name) => !OWN_TABLES.has(name) && !PASSING_TABLES.has(name));
  for (const table of tables) {
    if ((await to(table).first(to.raw('1'))) === undefined) continue;
    throw new BootError(
      'database',
      `the PostgreSQL database is not empty: it has rows in ${table}`,
      'Name an empty one in DATABASE_URL (CREATE DATABASE …). Nothing was copied.',
    );
  }
  const copied = new Map<string, number>();
  for (const table of tables) copied.set(table, await copyTable(from, to, table));
  return copied;
}

async function copyTable(from: Sql, to: Sql, table: string): Promise<number> {
  let count = 0;
  for (let after = -1; ;) {
    const rows = (await from(table)
      .where('rowid', '>', after)
      .orderBy('rowid')
      .limit(BATCH_ROWS)
      .select('*', from.raw('rowid AS copied_rowid'))) as Array<Record<string, unknown>>;
    if (rows.length === 0) break;
    after = Number(rows.at(-1)?.['copied_rowid']);
    await to(table).insert(rows.map(({ copied_rowid: _rowid, ...row }) => bindable(row)));
    count += rows.length;
  }
  if (count > 0) await continueSequences(to, table);
  return count;
}

/** The row for the driver of PostgreSQL, which takes binary values as buffers alone. */
function bindable(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => {
    return [name, value instanceof ArrayBuffer ? Buffer.from(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Lets columns that count by themselves go on after the rows that were copied. */
async function continueSequences(to: Sql, table: string): Promise<void> {
  const columns = (await to('information_schema.columns')
    .where({ table_schema: to.raw('current_schema()'), table_name: table })
    .where('column_default', 'like', 'nextval(%')
    .pluck('column_name')) as string[];
  for (const column of columns)
    await to.raw('SELECT setval(pg_get_serial_sequence(?, ?), (SELECT max(??) FROM ??))', [
      table,
      column,
      column,
      table,
    ]);
}
