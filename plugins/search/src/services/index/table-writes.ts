import type { Table as ArrowTable } from 'apache-arrow';
import { arrow } from './arrow.js';
import { withRetry, type Table } from './lance.js';

export async function erase(table: Table, where: string): Promise<void> {
  await withRetry(() => table.delete(where));
}

export async function add(table: Table, parts: readonly Uint8Array[]): Promise<void> {
  const rows = joined(parts);
  if (rows) await withRetry(() => table.add(rows));
}

/** Inserts rows, or puts them in place of those with their ids. */
export async function put(table: Table, parts: readonly Uint8Array[]): Promise<void> {
  const rows = joined(parts);
  if (rows) await withRetry(() => upsert(table).execute(rows));
}

/** `useIndex(false)` is what makes concurrent merges of one key conflict (see PRIMARY_KEY). */
function upsert(table: Table) {
  return table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
}

/** In one commit: the rows that `where` names become these rows. */
export async function swap(table: Table, parts: readonly Uint8Array[], where: string): Promise<void> {
  const rows = joined(parts);
  if (!rows) return erase(table, where);
  await withRetry(() => upsert(table).whenNotMatchedBySourceDelete({ where }).execute(rows));
}

/** Undefined where there are no rows. */
function joined(parts: readonly Uint8Array[]): ArrowTable | undefined {
  const [first, ...more] = parts
    .map((part) => arrow().tableFromIPC(part))
    .filter(({ numRows }) => numRows > 0);
  return first?.concat(...more);
}
