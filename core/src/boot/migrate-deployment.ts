import { existsSync } from 'node:fs';
import { openDatabase } from '../storage/database.js';
import { databaseOptions, type LoadedDeployment } from './load.js';
import { checkContents } from '../storage/check-contents.js';
import { hasInstallationId } from '../storage/installation-id.js';
import { createFormerPlugins, migrate, pendingMigrations } from '../storage/migrate.js';
import { withWriteRights } from '../storage/write-rights.js';

/** Reads the database of a deployment for damage: see checkContents. */
export async function checkDeployment(loaded: LoadedDeployment): ReturnType<typeof checkContents> {
  const database = await openDatabase({ ...databaseOptions(loaded), queryTimeoutMs: Infinity });
  try {
    return await checkContents(database);
  } finally {
    await database.close();
  }
}

/** Whether the database of a deployment exists and has tables of the service. Creates nothing. Throws BootError. */
export async function hasDatabase(loaded: LoadedDeployment): Promise<boolean> {
  const options = databaseOptions(loaded);
  if (options.url === undefined && !existsSync(options.file)) return false;
  const database = await openDatabase(options);
  try {
    return await database.sql.schema.hasTable('schema_migrations');
  } finally {
    await database.close();
  }
}

/** Ids of plugins that have tables in the database of a deployment, which is up to date, and are not enabled. */
export async function formerPlugins(loaded: LoadedDeployment): Promise<readonly string[]> {
  const database = await openDatabase(databaseOptions(loaded));
  try {
    return await createFormerPlugins(loaded.plugins).ids(database.sql);
  } finally {
    await database.close();
  }
}

/** The steps that migrateDeployment would apply to a database that exists, as `plugin/id`. Changes nothing. Throws BootError. */
export async function pendingSteps(loaded: LoadedDeployment): Promise<readonly string[]> {
  const database = await openDatabase(databaseOptions(loaded));
  try {
    return await pendingMigrations(database, loaded.plugins);
  } finally {
    await database.close();
  }
}

/**
 * The steps of pendingSteps where the database is in use by now, as an earlier version may be running over it. None for one
 * that is just being created, by this process or another.
 */
export async function upgradeSteps(loaded: LoadedDeployment): Promise<readonly string[]> {
  const database = await openDatabase(databaseOptions(loaded));
  try {
    return (await hasInstallationId(database)) ? await pendingMigrations(database, loaded.plugins) : [];
  } finally {
    await database.close();
  }
}

/** Brings the database of a deployment up to date without starting it. Returns the steps applied, as `plugin/id`. */
export async function migrateDeployment(loaded: LoadedDeployment): Promise<string[]> {
  const database = await openDatabase({ ...databaseOptions(loaded), queryTimeoutMs: Infinity });
  try {
    return await withWriteRights(() => migrate(database, loaded.plugins));
  } finally {
    await database.close();
  }
}
