import type { Sql } from '@service-mcp/core';
import { insertRows } from './insert-rows.js';
import type { ChangeRow } from './snapshots.js';

/** That a change removed a record, which its undo brings back: until that, or until it expires. */
interface RemovedRow {
  readonly record_id: string;
  readonly change_id: string;
  readonly workspace_id: string;
}

const removed = (sql: Sql) => sql<RemovedRow>('memory_removed_records');

/** In the transaction of the change. */
export async function noteRemoved(
  sql: Sql,
  { id: change_id, workspace_id }: Pick<ChangeRow, 'id' | 'workspace_id'>,
  ids: readonly string[],
): Promise<void> {
  const rows = ids.map((record_id): RemovedRow => ({ record_id, change_id, workspace_id }));
  await insertRows(sql, 'memory_removed_records', rows);
}

/** The records that a change removed, which it does not bring back any more. */
export async function takeRemoved(sql: Sql, change_id: string): Promise<string[]> {
  const ids = await removed(sql).where({ change_id }).orderBy('record_id').pluck('record_id');
  await removed(sql).where({ change_id }).delete();
  return ids;
}

/** Those that the undo of a change can bring back. */
export async function restorableAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await removed(sql).whereIn('record_id', ids).pluck('record_id'));
}
