import type { Sql } from '@service-mcp/core';

/** SQLite takes at most 500 rows in the statement that Knex writes. */
const MAX_ROWS = 250;

/** Inserts any number of rows; with `onConflict`, those that exist by this column are updated. */
export async function insertRows(
  sql: Sql,
  table: string,
  rows: readonly object[],
  onConflict?: string,
): Promise<void> {
  for (let at = 0; at < rows.length; at += MAX_ROWS) {
    const insert = sql(table).insert(rows.slice(at, at + MAX_ROWS));
    await (onConflict === undefined ? insert : insert.onConflict(onConflict).merge());
  }
}
