import type { Knex } from 'knex';
import type { Sql } from './database.js';
import { addWorkColumns } from './work.js';

/**
 * For a migration: makes a table of {@link Records}, with the columns of every record, those of a work queue and the
 * plugin's own. The name of a table is shared by all plugins.
 */
export async function createRecordTable(
  sql: Sql,
  table: string,
  own: (columns: Knex.CreateTableBuilder) => void,
): Promise<void> {
  await sql.schema.createTable(table, (columns) => {
    columns.text('id').primary();
    for (const name of ['workspace_id', 'created_at', 'updated_at']) columns.text(name).notNullable();
    own(columns);
    columns.index(['workspace_id', 'created_at']);
  });
  await addWorkColumns(sql, table);
}

/**
 * For a migration, after {@link createRecordTable}: at most one living row has the same values in these columns. Removed
 * rows that wait to leave the index do not count. On PostgreSQL the values of a row have at most 2,700 bytes together.
 */
export async function addUniqueIndex(sql: Sql, table: string, columns: readonly string[]): Promise<void> {
  const list = columns.map(() => '??').join(', ');
  await sql.raw(`CREATE UNIQUE INDEX ?? ON ?? (${list}) WHERE deleted = 0`, [
    `${table}_unique_${columns.join('_')}`,
    table,
    ...columns,
  ]);
}

/**
 * Inserts a row into a work queue unless a living row has the same values in `unique`; returns the id of the one that
 * is there now. Needs the index of {@link addUniqueIndex}, and is safe under concurrency with it: of concurrent
 * calls on PostgreSQL, a select before the insert alone would let each insert a row.
 */
export async function insertIfAbsent(
  sql: Sql,
  table: string,
  row: { readonly id: string; readonly [column: string]: unknown },
  unique: readonly string[] = [],
): Promise<{ readonly id: string; readonly created: boolean }> {
  if (unique.length === 0) {
    await sql(table).insert(row);
    return { id: row.id, created: true };
  }
  // Named, so that the database refuses where the index is missing.
  const index = sql.raw(`(${unique.map(() => '??').join(', ')}) WHERE deleted = 0`, [...unique]);
  const same = Object.fromEntries(unique.map((column) => [column, row[column]]));
  for (;;) {
    const inserted: unknown[] = await sql(table).insert(row).onConflict(index).ignore().returning('id');
    if (inserted.length > 0) return { id: row.id, created: true };
    const found: { id: string } | undefined = await sql(table)
      .where({ ...same, deleted: 0 })
      .first('id');
    if (found) return { id: found.id, created: false };
    // The other row was removed after the insert met it: insert again.
  }
}
