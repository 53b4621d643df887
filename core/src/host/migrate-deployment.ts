import { join } from 'node:path';
import { openDatabase } from './database.js';
import type { LoadedDeployment } from './load.js';
import { migrate } from './migrate.js';

/** Brings the database of a deployment up to date without starting it. Returns the steps applied, as `plugin/id`. */
export async function migrateDeployment(loaded: LoadedDeployment): Promise<string[]> {
  const database = await openDatabase({
    url: loaded.config.database.url,
    file: join(loaded.dataDir, 'service.db'),
  });
  try {
    return await migrate(database, loaded.plugins);
  } finally {
    await database.close();
  }
}
