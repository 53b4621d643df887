import { Database, defineWorker, WORK_PENDING, type Sql } from '@service-mcp/core';
import { COMPARED, compare, isPair, markUnchecked, type Compared } from './duplicates.js';
import { insertRows } from './insert-rows.js';
import { junkReason } from './junk.js';
import { KINDS, type Kind } from './kinds.js';

/**
 * Records that are checked in one transaction, and after how long no further one is: on SQLite, writers wait for it, and the
 * process does nothing else. Ten long records that resemble many others take seconds.
 */
const BATCH = 10;
const MAX_BATCH_MS = 50;
/** Stored pairs of a record that are compared again: some records are long. */
const MAX_HELD = 50;

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

/** What the check of a record finds by itself. */
async function check(sql: Sql, record_kind: Kind, row: Compared): Promise<FindingRow[]> {
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
 * The pairs of a record that earlier checks stored, and that still hold. A record names few of those that it resembles, so
 * that the pair of another one, dropped here, may be all that tells of it: what loses a pair is checked again.
 */
async function heldPairs(
  sql: Sql,
  record_kind: Kind,
  row: Compared,
  pairs: readonly FindingRow[],
): Promise<FindingRow[]> {
  const known = pairs.slice(0, MAX_HELD);
  const ids = known.map((pair) => otherOf(pair, row.id));
  const others = (await sql(KINDS[record_kind].table)
    .whereIn('id', ids)
    .where({ deleted: 0 })
    .select(COMPARED[record_kind])) as Compared[];
  const byId = new Map(others.map((other) => [other.id, other]));
  return known.filter((pair) => {
    const other = byId.get(otherOf(pair, row.id));
    return other && pair.kind !== 'junk' && isPair(record_kind, pair.kind, row, other);
  });
}

const otherOf = ({ record_id, other_id }: FindingRow, id: string) =>
  record_id === id ? other_id : record_id;

/** Brings the findings of a record in line with it, and with what it resembles. */
async function renew(sql: Sql, id: string): Promise<void> {
  const stored = () =>
    sql<FindingRow>('memory_findings').where((own) => own.where({ record_id: id }).orWhere({ other_id: id }));
  const pairs = (await stored()).filter(({ other_id }) => other_id !== '');
  const findings: FindingRow[] = [];
  for (const kind of ['event', 'node'] as const) {
    const row = (await sql(KINDS[kind].table).where({ id, deleted: 0 }).first(COMPARED[kind])) as
      | Compared
      | undefined;
    if (row) findings.push(...(await heldPairs(sql, kind, row, pairs)), ...(await check(sql, kind, row)));
  }
  const keyOf = ({ record_id, kind, other_id }: FindingRow) => [record_id, kind, other_id].join();
  const found = new Map(findings.map((finding) => [keyOf(finding), finding]));
  await stored().delete();
  await insertRows(sql, 'memory_findings', [...found.values()]);
  const dropped = pairs.filter((pair) => !found.has(keyOf(pair)));
  const alone = new Map(dropped.map((pair) => [otherOf(pair, id), pair.workspace_id]));
  await markUnchecked(
    sql,
    [...alone].map(([other, workspace_id]) => ({ id: other, workspace_id })),
  );
}

/**
 * Checks the next records that changed, of one workspace or of all; returns how many there were. After the commit of the
 * change, so that of two records stored at once the later check sees both.
 */
export function checkRecords(
  database: Database,
  workspaceId?: string,
  maxMs: number = MAX_BATCH_MS,
): Promise<number> {
  const { engine } = database;
  return database.transaction(async (sql) => {
    // Two checks at once would wait for each other's findings. SQLite has one writer anyway.
    if (engine === 'postgresql')
      await sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', ['memory checks']);
    const marks = sql('memory_unchecked').orderBy('record_id').limit(BATCH);
    if (workspaceId !== undefined) void marks.where({ workspace_id: workspaceId });
    if (engine === 'postgresql') void marks.forUpdate().skipLocked(); // changes under way are left to the next check
    const waiting = (await marks.pluck('record_id')) as string[];
    const end = performance.now() + maxMs;
    let checked = 0;
    for (const id of waiting) {
      await sql('memory_unchecked').where({ record_id: id }).delete(); // before it reads: later changes mark it again
      await renew(sql, id);
      checked++;
      if (performance.now() >= end) break;
    }
    return checked;
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
