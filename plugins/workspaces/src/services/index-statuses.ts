import { Database, provide, type WorkStatus } from '@service-mcp/core';
import { FileConsumers, IndexHealth, IndexStatuses, type IndexState, type IndexStatus } from '../contract.js';

/** Counts of files by status, and the state that they add up to. */
export const indexStatuses = provide(IndexStatuses, {
  uses: { database: Database, health: IndexHealth, consumers: FileConsumers },
  create: ({ database, health, consumers }) => {
    const names = consumers.map(({ name }) => name);
    const glances = prepareGlances(database);
    const within = (workspaceId: string, projectId?: string) => ({
      workspace_id: workspaceId,
      ...(projectId !== undefined && { project_id: projectId }),
    });
    const files = (workspaceId: string, projectId?: string) =>
      database.sql('files').where(within(workspaceId, projectId));

    async function condition(workspaceId: string) {
      const all = await Promise.all(health.map((index) => index.read(workspaceId)));
      return {
        healthy: all.every((one) => one.healthy),
        generation: Math.max(0, ...all.map((one) => one.generation)),
      };
    }
    async function stateOf(
      healthy: boolean,
      pending: number,
      some: boolean,
      workspaceId: string,
      projectId?: string,
    ): Promise<IndexState> {
      if (!healthy) return 'degraded';
      if (pending > 0) return 'indexing';
      if (some) return 'ready';
      const ingested = await database
        .sql('projects')
        .where({ workspace_id: workspaceId, ...(projectId !== undefined && { id: projectId }) })
        .whereNotNull('ingested_at')
        .first('id');
      return ingested ? 'empty' : 'not_indexed';
    }
    async function read(workspaceId: string, projectId?: string): Promise<IndexStatus> {
      const { healthy, generation } = await condition(workspaceId);
      const rows: Array<{ indexing_status: WorkStatus; deleted: number; n: number; last: string | null }> =
        await files(workspaceId, projectId)
          .groupBy('indexing_status', 'deleted')
          .select('indexing_status', 'deleted')
          .count({ n: '*' })
          .max({ last: 'indexed_at' });
      const counts = { pending: 0, indexed: 0, failed: 0 };
      let waiting = 0; // removals wait for the indexer too, but do not count as files
      for (const row of rows) {
        if (row.indexing_status === 'pending') waiting += row.n;
        if (row.deleted === 0) counts[row.indexing_status] += row.n;
      }
      const times = rows.map((row) => row.last ?? '').sort();
      const some = counts.pending + counts.indexed + counts.failed > 0;
      return {
        ...counts,
        state: await stateOf(healthy, waiting, some, workspaceId, projectId),
        indexed_at: times.at(-1) || null,
        generation,
      };
    }
    async function waitingFor(workspaceId: string, projectId: string): Promise<Record<string, number>> {
      const rows: Array<{ consumer: string; n: number }> = await database
        .sql('file_work')
        .where({ ...within(workspaceId, projectId), indexing_status: 'pending', deleted: 0 })
        .whereIn('consumer', names)
        .groupBy('consumer')
        .select('consumer')
        .count({ n: '*' });
      const waiting = new Map(rows.map(({ consumer, n }) => [consumer, n]));
      return Object.fromEntries(names.map((name) => [name, waiting.get(name) ?? 0]));
    }

    async function failedFor(consumer: string, workspaceId: string, projectId?: string): Promise<number> {
      const [counted]: Array<{ n: number }> = await database
        .sql('file_work')
        .where({ ...within(workspaceId, projectId), consumer, indexing_status: 'failed', deleted: 0 })
        .count({ n: '*' });
      return counted?.n ?? 0;
    }

    return {
      failedFor,
      async glance(workspaceId, projectId, consumer) {
        const { healthy, generation } = await condition(workspaceId);
        const glanced = await glances(workspaceId, projectId, consumer);
        const pending = glanced?.pending ?? 0;
        const some = pending > 0 || Boolean(glanced?.has_files);
        return { state: await stateOf(healthy, pending, some, workspaceId, projectId), generation, pending };
      },
      read,
      waitingFor,
    };
  },
});

interface Glanced {
  readonly pending: number;
  /** Whether there are files: a number on SQLite. */
  readonly has_files: boolean | number;
}

/** The look-ups of `glance`: within a workspace or a project, of the work of one consumer or of files. */
function prepareGlances(database: Database) {
  const of = (name: string, table: string, scope: string) =>
    database.prepare<Glanced>(
      `workspaces_glance_${name}`,
      `select (select count(*) from ${table} and ${scope} and indexing_status = 'pending') as pending,
        exists(select 1 from files where ${scope} and deleted = 0) as has_files`,
    );
  const within = (name: string, scope: string) => ({
    ofConsumer: of(`work_${name}`, 'file_work where consumer = ?', scope),
    ofFiles: of(`files_${name}`, 'files where 1 = 1', scope),
  });
  const project = within('project', 'workspace_id = ? and project_id = ?');
  const workspace = within('workspace', 'workspace_id = ?');
  return async (workspaceId: string, projectId?: string, consumer?: string): Promise<Glanced | undefined> => {
    const { ofConsumer, ofFiles } = projectId === undefined ? workspace : project;
    const scope = projectId === undefined ? [workspaceId] : [workspaceId, projectId];
    return consumer === undefined ? ofFiles(...scope, ...scope) : ofConsumer(consumer, ...scope, ...scope);
  };
}
