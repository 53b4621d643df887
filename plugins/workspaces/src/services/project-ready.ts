import type { Database, Events, RecordEvents, Sql } from '@service-mcp/core';

const PROJECTS_A_ROUND = 50;
const READY = 'project.ready';

/**
 * Says of projects that they wait for the indexer, in the transaction that made files of theirs pending. Whoever changes
 * files takes the workspace first, then the project, then the files, so that nobody waits in a circle.
 */
export async function markIndexing(sql: Sql, where: Readonly<Record<string, string>>): Promise<void> {
  await sql('projects').where(where).update({ indexing: 1 });
}

/**
 * Records project.ready for the projects that waited and have nothing pending any more; each once, however many
 * processes settle its last files at the same moment: the project's row is taken first, and what is pending is looked
 * at after that. A process that dies between settling and this leaves `indexing` set, and the next look finds it.
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
    .forUpdate() // SQLite's writer is alone anyway
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
