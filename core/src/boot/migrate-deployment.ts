import { openDatabase } from '../storage/database.js';
import { databaseOptions, type LoadedDeployment } from './load.js';
import { migrate } from '../storage/migrate.js';

/** Brings the database of a deployment up to date without starting it. Returns the steps applied, as `plugin/id`. */
export async function migrateDeployment(loaded: LoadedDeployment): Promise<string[]> {
  const database = await openDatabase(databaseOptions(loaded));
  try {
    return await migrate(database, loaded.plugins);
  } finally {
    await database.close();
  }
}
