import type { Query, RecordChange, Sql } from '@service-mcp/core';
import { insertRows } from './insert-rows.js';

interface Tagged {
  readonly id: string;
  readonly workspace_id: string;
  readonly tags: readonly string[];
}

/** Brings the rows of `memory_tags` in line with a record, in the transaction of its change. */
export async function followTags(sql: Sql, record: Tagged, change: RecordChange): Promise<void> {
  if (change !== 'created') await sql('memory_tags').where({ record_id: record.id }).delete();
  if (change !== 'removed') await addTags(sql, [record]);
}

/** The tags of new records. */
export async function addTags(sql: Sql, records: readonly Tagged[]): Promise<void> {
  const rows = records.flatMap(({ id: record_id, workspace_id, tags }) =>
    tags.map((tag) => ({ record_id, tag, workspace_id })),
  );
  await insertRows(sql, 'memory_tags', rows);
}

/** Confines a query over records of `table` to those with all of these tags. */
export function withTags(query: Query, table: string, tags: readonly string[]): void {
  for (const tag of new Set(tags)) {
    void query.whereExists((rows) =>
      rows
        .select('tag')
        .from('memory_tags')
        .whereRaw('?? = ??', ['memory_tags.record_id', `${table}.id`])
        .where({ tag }),
    );
  }
}
