import type { Sql } from '@service-mcp/core';
import { removedRecords, type ChangeRow, type Snapshot } from './snapshots.js';
import { readSuccessors, successorAmong } from './successors.js';

/**
 * The snapshots of a change that is undone. Nodes that come back name the kept one where a merge after the change took the
 * successor or predecessor that they name.
 */
export async function followMerges(
  sql: Sql,
  change: ChangeRow,
  snapshots: readonly Snapshot[],
): Promise<readonly Snapshot[]> {
  const back = new Set(removedRecords(change.before));
  const named = snapshots.flatMap(({ record }) =>
    'supersedes' in record && back.has(record.id)
      ? [record.supersedes, record.superseded_by].filter((id) => id !== null)
      : [],
  );
  const there = await livingAmong(sql, named);
  const absent = named.filter((id) => !back.has(id) && !there.has(id));
  if (absent.length === 0) return snapshots;
  const kept = await keptByMerges(sql, change);
  const ends = new Map(absent.map((id) => [id, endOf(kept, id)]));
  const living = await livingAmong(sql, [...ends.values()]);
  const successors = await readSuccessors(sql, [...there, ...living]);
  const followed: Snapshot[] = [];
  for (const snapshot of snapshots) {
    const { record } = snapshot;
    const follow = (id: string | null): string | null => {
      const end = ends.get(id ?? '');
      return end !== undefined && living.has(end) && end !== record.id ? end : id;
    };
    if (!('supersedes' in record) || !back.has(record.id)) {
      followed.push(snapshot);
      continue;
    }
    const superseded_by = follow(record.superseded_by);
    let supersedes = follow(record.supersedes);
    if (supersedes !== record.supersedes && successorAmong(successors, { superseded_by }, [supersedes ?? '']))
      supersedes = null; // its predecessor was merged into its successor
    followed.push({ ...snapshot, record: { ...record, superseded_by, supersedes } });
  }
  return followed;
}

/** The last one that a record was merged into. */
function endOf(kept: ReadonlyMap<string, string>, id: string): string {
  const seen = new Set<string>(); // an import may bring a merged record back, into which the kept one is merged
  let end = id;
  for (let next = kept.get(end); next !== undefined && !seen.has(next); next = kept.get(end)) {
    seen.add(next);
    end = next;
  }
  return end;
}

async function livingAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = sql('memory_nodes').whereIn('id', ids).where({ deleted: 0 });
  return new Set((await rows.pluck('id')) as string[]);
}

/** Which record later merges of the workspace kept, by those that they took. */
async function keptByMerges(
  sql: Sql,
  { id, workspace_id, changed_at }: ChangeRow,
): Promise<Map<string, string>> {
  const merges = () =>
    sql<ChangeRow>('memory_changes').where({ workspace_id, kind: 'merge', undone_at: null });
  const later = await merges()
    .where('changed_at', '>=', changed_at)
    .whereNot({ id })
    .orderBy('id')
    .pluck('id');
  const kept = new Map<string, string>();
  for (const merge of later) {
    const { before } = (await merges().where({ id: merge }).first('before')) ?? { before: '[]' }; // of megabytes
    const keep = (JSON.parse(before) as Snapshot[]).find(
      ({ changedAt, repointed, isKept }) => isKept ?? (changedAt !== undefined && !repointed),
    );
    if (keep) for (const taken of removedRecords(before)) kept.set(taken, keep.record.id);
  }
  return kept;
}
