import { Database, defineWorker, WORK_PENDING, type Sql } from '@service-mcp/core';
import { compare } from './duplicates.js';
import { insertRows } from './insert-rows.js';
import { junkReason } from './junk.js';
import { KINDS, type Kind } from './kinds.js';

/** Records that are checked in one transaction: on SQLite, writers wait for it. */
const BATCH = 10;

/** A fault of a record: it is junk, or repeats or contradicts another one. Reports find the other faults as they are read. */
interface FindingRow {
  readonly record_id: string;
  /** Empty: the finding is about the record alone. */
  readonly other_id: string;
  readonly kind: 'duplicate' | 'contradiction' | 'junk';
  readonly record_kind: Kind;
  readonly workspace_id: string;
  readonly reason: string;
}
interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly project_id: string | null;
  readonly title: string;
  readonly content: string;
}

async function check(sql: Sql, record_kind: Kind, row: Row): Promise<FindingRow[]> {
  const { id: record_id, workspace_id } = row;
  const own = { record_id, record_kind, workspace_id, other_id: '', reason: '' };
  const reason = junkReason(row);
  const { duplicates, contradictions } = await compare(sql, record_kind, row);
  return [
    ...(reason === undefined ? [] : [{ ...own, kind: 'junk' as const, reason }]),
    ...duplicates.map((other_id) => ({ ...own, kind: 'duplicate' as const, other_id })),
    ...contradictions.map((other_id) => ({ ...own, kind: 'contradiction' as const, other_id })),
  ];
}

/**
 * Checks the next records that changed, of one workspace or of all; returns how many there were. After the commit of the
 * change, so that of two records stored at once the later check sees both.
 */
export function checkRecords(database: Database, workspaceId?: string): Promise<number> {
  const { engine } = database;
  return database.transaction(async (sql) => {
    // Two checks at once would wait for each other's findings. SQLite has one writer anyway.
    if (engine === 'postgresql')
      await sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', ['memory checks']);
    const marks = sql('memory_unchecked').orderBy('record_id').limit(BATCH);
    if (workspaceId !== undefined) void marks.where({ workspace_id: workspaceId });
    if (engine === 'postgresql') void marks.forUpdate().skipLocked(); // changes under way are left to the next check
    const ids = (await marks.pluck('record_id')) as string[];
    if (ids.length === 0) return 0;
    await sql('memory_unchecked').whereIn('record_id', ids).delete(); // before it reads: later changes mark them again
    const findings: FindingRow[] = [];
    for (const kind of ['event', 'node'] as const) {
      const rows = (await sql(KINDS[kind].table)
        .whereIn('id', ids)
        .where({ deleted: 0 })
        .select('id', 'workspace_id', 'project_id', 'title', 'content')) as Row[];
      for (const row of rows) findings.push(...(await check(sql, kind, row)));
    }
    for (const column of ['record_id', 'other_id'])
      await sql('memory_findings').whereIn(column, ids).delete();
    await insertRows(sql, 'memory_findings', findings);
    return ids.length;
  });
}

/** Checks what was written, so that the report finds little left to do. */
export const checkWorker = defineWorker({
  id: 'memory.check-records',
  uses: { database: Database },
  everyMs: 30_000,
  wakeOn: [WORK_PENDING],
  apart: {
    hasWork: async ({ database }) =>
      (await database.sql('memory_unchecked').first('record_id')) !== undefined,
    runSmall: ({ database }) => checkRecords(database),
  },
  run: async ({ database }) => ({ more: (await checkRecords(database)) > 0 }),
});
