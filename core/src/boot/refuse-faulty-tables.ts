import type { Database } from '../database.js';
import type { ResourceOwner } from '../services.js';
import type { OpenedQueues } from '../storage/work-queues.js';
import { BootError } from './boot-error.js';

/** Refuses tables of resources that every call would fail on, or whose removed rows would never leave them. */
export async function refuseFaultyTables(
  owners: readonly ResourceOwner[],
  {
    database: { sql },
    queues,
    pluginOf,
  }: {
    readonly database: Pick<Database, 'sql'>;
    readonly queues: Pick<OpenedQueues, 'has'>;
    readonly pluginOf: (owner: ResourceOwner) => string;
  },
): Promise<void> {
  for (const owner of owners) {
    const { table, columns = [], queued = false, resource } = owner;
    if (table === undefined) continue;
    const place = `plugin ${pluginOf(owner)}, table "${table}" of the resource "${resource}"`;
    const known = await columnsOf(table);
    if (known.length === 0)
      throw new BootError(
        place,
        'it does not exist',
        'Correct the name of the table in the plugin, or list the migration that creates it in "migrations".',
      );
    const missing = columns.find((column) => !known.includes(column));
    if (missing !== undefined)
      throw new BootError(
        place,
        `it has no column "${missing}"`,
        'Add the column in a migration, or take it out of the schema of the records.',
      );
    if (queued && !queues.has(table))
      throw new BootError(
        place,
        'nothing works on its rows, so that removed ones would stay in it',
        'Add indexRecords of search for it, or write queued: false in provideRecords.',
      );
  }

  async function columnsOf(table: string): Promise<string[]> {
    return Object.keys(await sql(table).columnInfo());
  }
}
