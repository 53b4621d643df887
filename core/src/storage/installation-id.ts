import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';

const name = 'installation';

/**
 * A public id of the database, made with it: processes over one database show the same id. A copy of a database, such as a
 * restored backup, keeps the id.
 */
export async function readInstallationId(database: Database): Promise<string> {
  await database.sql('deployment_values').insert({ name, value: randomUUID() }).onConflict('name').ignore();
  const row = (await database.sql('deployment_values').where({ name }).first('value')) as { value: string };
  return row.value;
}

/** Whether a deployment was opened over the database, all of whose migrations were applied then. */
export async function hasInstallationId(database: Database): Promise<boolean> {
  if (!(await database.sql.schema.hasTable('deployment_values'))) return false;
  return (await database.sql('deployment_values').where({ name }).first('name')) !== undefined;
}
