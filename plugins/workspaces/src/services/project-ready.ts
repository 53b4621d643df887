import type { Database, Events, RecordEvents, Sql } from '@service-mcp/core';

const PROJECTS_A_ROUND = 50;
const READY = 'project.ready';

/**
 * Marks projects as indexing, in the transaction that makes their files pending. Every change of files locks the
 * workspace first, then the project, then the files, so that two changes never deadlock.
 */
export async function markIndexing(
  sql: Sql,
  where: Readonly<Record<string, string>>,
  among?: ReturnType<Sql>,
): Promise<void> {
  const projects = sql('projects').where(where);
  if (among) void projects.whereIn('id', among);
  await projects.update({ indexing: 1 });
}

/**
 * Records project.ready once for each indexing project without pending files. The lock on the project's row comes
 * before the count of pending files, so that concurrent processes record it once. A process that dies before this
 * leaves `indexing` set, and the next run finds it.
 */
export async function announceReady(database: Database, events: Events): Promise<void> {
  const settled: Array<{ id: string }> = await database
    .sql('projects')
    .whereRaw('indexing = 1')
    .whereNotExists((files) =>
      files
        .select(database.sql.raw('1'))
        .from('files')
        .whereRaw("files.project_id = projects.id AND files.indexing_status = 'pending'"),
    )
    .limit(PROJECTS_A_ROUND)
    .select('id');
  for (const { id } of settled) await events.change((sql, record) => recordReady(sql, record, id));
}

async function recordReady(sql: Sql, record: RecordEvents, id: string): Promise<void> {
  const project: { workspace_id: string } | undefined = await sql('projects')
    .where({ id, indexing: 1 })
    .forUpdate() // SQLite has one writer anyway
    .first('workspace_id');
  if (!project) return;
  const rows: Array<{ indexing_status: string; n: number }> = await sql('files')
    .where({ project_id: id })
    .groupBy('indexing_status')
    .select('indexing_status')
    .count({ n: '*' });
  const counts = new Map(rows.map((row) => [row.indexing_status, row.n]));
  if (counts.has('pending')) return;
  await sql('projects').where({ id }).update({ indexing: 0 });
  const data = { project_id: id, indexed: counts.get('indexed') ?? 0, failed: counts.get('failed') ?? 0 };
  record({ type: READY, workspaceId: project.workspace_id, data });
}
