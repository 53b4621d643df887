import { Clock, Database, defineWorker, type Sql } from '@service-mcp/core';
import { eraseEdges } from './edge-store.js';
import { eraseKeptApart } from './apart-store.js';
import { KINDS } from './kinds.js';
import { restorableAmong, takeRemoved } from './removed-records.js';
import type { ChangeRow } from './snapshots.js';
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

/** One change at a time, so that each transaction is short. False where none is left. */
async function expireOne(sql: Sql, time: string): Promise<boolean> {
  const change = await sql<ChangeRow>('memory_changes')
    .where('changed_at', '<', time)
    .forUpdate() // an undo at this moment ends first; SQLite has one writer anyway
    .first('id');
  if (!change) return false;
  await sql('memory_changes').where({ id: change.id }).delete();
  const ids = await takeRemoved(sql, change.id);
  const kept = new Set<string>(); // since an import may have brought some back
  for (const { table } of Object.values(KINDS))
    for (const id of (await sql(table).whereIn('id', ids).where({ deleted: 0 }).pluck('id')) as string[])
      kept.add(id);
  const gone = ids.filter((id) => !kept.has(id));
  const restorable = await restorableAmong(sql, gone); // by another change, which removed them again
  const removed = gone.filter((id) => !restorable.has(id));
  await eraseEdges(sql, removed);
  await eraseKeptApart(sql, removed);
  return true;
}
