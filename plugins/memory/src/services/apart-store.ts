import type { Query, Sql } from '@service-mcp/core';

/** That a record is not a duplicate of another one; each pair has such a row from either. */
export interface PairRow {
  readonly record_id: string;
  readonly other_id: string;
  readonly workspace_id: string;
  readonly change_id: string;
  readonly decided_at: string;
  readonly decided_by: string;
}

/** Confines findings about two records to those that were not kept apart. */
export function exceptKeptApart(sql: Sql, findings: Query): Query {
  return findings.whereNotExists(
    sql('memory_kept_apart')
      .whereRaw('memory_kept_apart.record_id = memory_findings.record_id')
      .whereRaw('memory_kept_apart.other_id = memory_findings.other_id')
      .select(sql.raw('1')),
  );
}

/** Whom each record with a finding was kept apart from. */
export async function readKeptApart(
  sql: Sql,
  workspace_id: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = (column: string) =>
    sql('memory_findings').where({ workspace_id, kind: 'duplicate' }).select(column);
  const rows = (await sql('memory_kept_apart')
    .where({ workspace_id })
    .where((either) =>
      either.whereIn('record_id', found('record_id')).orWhereIn('record_id', found('other_id')),
    )
    .select('record_id', 'other_id')) as Array<Pick<PairRow, 'record_id' | 'other_id'>>;
  const apart = new Map<string, Set<string>>();
  for (const { record_id, other_id } of rows) {
    const others = apart.get(record_id);
    if (others) others.add(other_id);
    else apart.set(record_id, new Set([other_id]));
  }
  return apart;
}

/** Takes the judgements of one change back, in the transaction of its undo; the records that it was about. */
export async function undoKeptApart(sql: Sql, change_id: string): Promise<string[]> {
  const pairs = () => sql('memory_kept_apart').where({ change_id });
  const ids = (await pairs().distinct('record_id').orderBy('record_id').pluck('record_id')) as string[];
  await pairs().delete();
  return ids;
}

/** Forgets what was judged of records that are gone for good. */
export async function eraseKeptApart(sql: Sql, recordIds: readonly string[]): Promise<void> {
  for (const column of ['record_id', 'other_id'])
    await sql('memory_kept_apart').whereIn(column, recordIds).delete();
}
