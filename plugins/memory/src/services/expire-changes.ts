import { Clock, Database, defineWorker, type Sql } from '@service-mcp/core';
import { eraseEdges, ofNodes } from './edge-store.js';
import { eraseKeptApart } from './apart-store.js';
import { KINDS } from './kinds.js';
import { removedRecords, type ChangeRow } from './snapshots.js';
import { expireUnfinished } from '../transfer/unfinished-histories.js';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets what undo needs thirty days after the change: what was deleted is gone for good then. */
export const expireChanges = defineWorker({
  id: 'memory.expire-changes',
  uses: { database: Database, clock: Clock },
  everyMs: 60 * 60 * 1000,
  exclusive: true,
  async run({ database, clock }, signal) {
    const time = new Date(clock.now().getTime() - KEPT_MS).toISOString();
    while (!signal.aborted && (await database.transaction((sql) => expireOne(sql, time))));
    await expireUnfinished(database.sql, time);
    return { more: false };
  },
});

/** One change at a time: its snapshot can have megabytes. False where none is left. */
async function expireOne(sql: Sql, time: string): Promise<boolean> {
  const change = await sql<ChangeRow>('memory_changes')
    .where('changed_at', '<', time)
    .forUpdate() // an undo at this moment ends first; SQLite has one writer anyway
    .first('id', 'workspace_id', 'before');
  if (!change) return false;
  await sql('memory_changes').where({ id: change.id }).delete();
  const ids = removedRecords(change.before);
  const kept = new Set<string>(); // since an import may have brought some back
  for (const { table } of Object.values(KINDS))
    for (const id of (await sql(table).whereIn('id', ids).where({ deleted: 0 }).pluck('id')) as string[])
      kept.add(id);
  const gone = ids.filter((id) => !kept.has(id));
  const again = await removedAgain(sql, change.workspace_id, gone);
  const removed = gone.filter((id) => !again.has(id));
  await eraseEdges(sql, removed);
  await eraseKeptApart(sql, removed);
  return true;
}

/** Records that another change has removed, too, and can bring back; of those only on which something hangs. */
async function removedAgain(sql: Sql, workspace_id: string, ids: readonly string[]): Promise<Set<string>> {
  const removed = new Set<string>();
  const hangs =
    (await ofNodes(sql('memory_edges'), ids).first('id')) ??
    (await sql('memory_kept_apart').whereIn('record_id', ids).first('record_id'));
  if (hangs === undefined) return removed;
  const open = () => sql<ChangeRow>('memory_changes').where({ workspace_id, undone_at: null });
  for (const id of await open().pluck('id')) {
    const { before } = (await open().where({ id }).first('before')) ?? { before: '[]' }; // of megabytes
    for (const each of removedRecords(before)) removed.add(each);
  }
  return removed;
}
