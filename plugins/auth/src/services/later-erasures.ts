import {
  AccountData,
  Clock,
  Database,
  Events,
  FormerPlugins,
  LOCAL_OWNER,
  Log,
  WORK_PENDING,
  defineWorker,
  type DeletedAccount,
  type Sql,
} from '@service-mcp/core';

/** A deleted account, and a plugin that was disabled then; empty: all plugins, for the calls that were under way. */
interface LaterErasure {
  readonly user_id: string;
  readonly plugin: string;
  readonly delete_workspaces: number;
  readonly due_at: string;
}

const TABLE = 'account_erasures';
/** Longer than any call. */
const LATER_MS = 60 * 60 * 1000;
const ROWS_PER_ROUND = 100;

/**
 * Notes that the data of a deleted account is erased once more, in the transaction of its deletion. Not of the local owner:
 * calls from this machine go on under that id, also without the account, and a later first run makes it again.
 */
export async function planLaterErasure(
  sql: Sql,
  { userId: user_id, deleteWorkspaces }: DeletedAccount,
  { clock, former }: { readonly clock: Clock; readonly former: FormerPlugins },
): Promise<void> {
  if (user_id === LOCAL_OWNER.userId) return;
  const due_at = new Date(clock.now().getTime() + LATER_MS).toISOString();
  const plugins = ['', ...(await former.ids(sql))];
  const rows = plugins.map((plugin): LaterErasure => ({
    user_id,
    plugin,
    delete_workspaces: deleteWorkspaces ? 1 : 0,
    due_at,
  }));
  await sql(TABLE).insert(rows);
}

/**
 * Erases what calls left that were under way, and what plugins hold that were disabled then and are enabled now. Where it
 * fails for an account, it is tried again an hour later, and holds up no other one.
 */
export const laterErasures = defineWorker({
  id: 'auth.later-erasures',
  uses: {
    clock: Clock,
    database: Database,
    events: Events,
    former: FormerPlugins,
    log: Log,
    data: AccountData,
  },
  everyMs: LATER_MS,
  exclusive: true,
  async run({ clock, database, events, former, log, data }, signal) {
    const absent = await former.ids(database.sql);
    const now = clock.now().toISOString();
    const later = new Date(clock.now().getTime() + LATER_MS).toISOString();
    const due = (sql: Sql) => sql(TABLE).where('due_at', '<=', now).whereNotIn('plugin', absent);
    const ids: string[] = await due(database.sql)
      .distinct('user_id')
      .orderBy('user_id')
      .limit(ROWS_PER_ROUND)
      .pluck('user_id');
    for (const user_id of ids) {
      if (signal.aborted) break;
      try {
        await events.change(async (sql, record) => {
          const rows: LaterErasure[] = await due(sql).where({ user_id });
          // Only calls under way can have made what the account is alone in, where every plugin took part in its deletion.
          const isOfCalls = rows.every(({ plugin }) => plugin === '');
          const deleteWorkspaces = isOfCalls || rows.some((row) => row.delete_workspaces === 1);
          for (const part of data) await part.erase(sql, record, { userId: user_id, deleteWorkspaces });
          await due(sql).where({ user_id }).delete();
        });
      } catch (error) {
        log.error({ err: error, account: user_id }, 'the data of a deleted account could not be erased');
        await due(database.sql).where({ user_id }).update({ due_at: later });
      }
    }
    if (ids.length > 0) events.wake(WORK_PENDING);
    return { more: ids.length === ROWS_PER_ROUND };
  },
});
