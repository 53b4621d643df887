import {
  Database,
  Events,
  FormerPlugins,
  Log,
  WORK_PENDING,
  WorkspaceData,
  defineWorker,
  type Sql,
} from '@service-mcp/core';
import { ProjectData } from '../contract.js';

/** A deleted workspace or project of which a plugin that was disabled then still has data. */
interface LateErasure {
  readonly scope: 'workspace' | 'project';
  readonly id: string;
  /** Of a workspace: its own id. */
  readonly workspace_id: string;
}

const TABLE = 'late_erasures';
const ROWS_PER_READ = 100;

/** Notes a deletion, in its transaction, for each plugin that is disabled now. */
export async function noteForFormerPlugins(
  sql: Sql,
  former: FormerPlugins,
  { scope, id, workspace_id }: LateErasure,
): Promise<void> {
  if (scope === 'workspace') await sql(TABLE).where({ workspace_id }).delete(); // its projects go with it
  const rows = (await former.ids(sql)).map((plugin) => ({ plugin, scope, id, workspace_id }));
  if (rows.length > 0) await sql(TABLE).insert(rows);
}

/**
 * Erases what plugins that are enabled again have of workspaces and projects that were deleted without them. Every plugin
 * erases: those that were there find nothing. Where it fails for one of them, it is tried again an hour later, and holds up no
 * other one.
 */
export const lateErasures = defineWorker({
  id: 'workspaces.late-erasures',
  uses: {
    database: Database,
    events: Events,
    former: FormerPlugins,
    log: Log,
    workspaceData: WorkspaceData,
    projectData: ProjectData,
  },
  everyMs: 60 * 60 * 1000,
  exclusive: true,
  async run({ database, events, former, log, workspaceData, projectData }, signal) {
    const absent = await former.ids(database.sql);
    const dueAfter = (last: string): Promise<LateErasure[]> =>
      database
        .sql(TABLE)
        .whereNotIn('plugin', absent)
        .where('id', '>', last)
        .distinct('scope', 'id', 'workspace_id')
        .orderBy('id')
        .limit(ROWS_PER_READ);
    let due = await dueAfter('');
    for (let next = due.shift(); next && !signal.aborted; next = due.shift()) {
      const { scope, id, workspace_id } = next;
      try {
        await database.transaction(async (sql) => {
          if (scope === 'workspace') for (const part of workspaceData) await part.erase(sql, id);
          else for (const part of projectData) await part.erase(sql, id, workspace_id);
          await sql(TABLE).where({ scope, id }).whereNotIn('plugin', absent).delete();
        });
        events.wake(WORK_PENDING); // what leaves an index is work
      } catch (error) {
        log.error({ err: error, [scope]: id }, 'the data of what was deleted could not be erased');
      }
      if (due.length === 0) due = await dueAfter(id);
    }
    return { more: false };
  },
});
