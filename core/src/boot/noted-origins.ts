import type { Database } from '../database.js';
import type { Origins } from '../services.js';
import { isOutage } from '../storage/outages.js';

const NAME = 'origins';

export interface NotedOrigins extends Origins {
  /** Where its machine reaches the service itself, with no proxy between. */
  readonly bound?: string;
}

/** Keeps the addresses of a service that listens, for commands on its database: they may run without its settings. */
export async function noteOrigins(database: Database, origins: NotedOrigins): Promise<void> {
  const noted = await readNotedOrigins(database);
  const value = JSON.stringify(origins);
  if (JSON.stringify(noted) === value) return;
  try {
    await database.sql('deployment_values').insert({ name: NAME, value }).onConflict('name').merge();
  } catch (error) {
    if (!isOutage(error)) throw error; // a full or read-only database is served too
  }
}

/** The addresses of the service that was started last; undefined before the first. */
export async function readNotedOrigins({ sql }: Database): Promise<NotedOrigins | undefined> {
  const row = (await sql('deployment_values').where({ name: NAME }).first('value')) as
    | { value: string }
    | undefined;
  return row && (JSON.parse(row.value) as NotedOrigins); // written above
}
