import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.js';

const TEXT =
  'The database of this deployment is in PostgreSQL: set DATABASE_URL for every process that uses this folder. Delete this file to use an embedded database here.\n';

/** The file that tells a process without DATABASE_URL that its data folder belongs to a deployment on PostgreSQL. */
export function postgresMarker(dataDir: string): string {
  return join(dataDir, 'on-postgresql');
}

/** Makes the marker. Throws the error of the system. */
export function markPostgres(dataDir: string): void {
  try {
    writeFileSync(postgresMarker(dataDir), TEXT, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** {@link markPostgres} for a service, which works without the marker: a disk that takes none does not stop its start. */
export function notePostgres(dataDir: string, log: Log): void {
  try {
    markPostgres(dataDir);
  } catch (err) {
    log.warn({ err }, 'the data folder takes no note that its database is in PostgreSQL');
  }
}
