import {
  Database,
  Deployment,
  WorkQueues,
  countRows,
  provide,
  token,
  type Sql,
  type WorkQueue,
  type WorkRow,
  type WorkStatus,
} from '@service-mcp/core';
import { FileConsumers, type FileConsumer } from '../contract.js';
import { batchesOf } from './batches.js';
import { noteMoves, type GoneFile } from './file-moves.js';
import { markIndexing } from './project-ready.js';

export interface FileRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly modified_at: string;
  readonly chunks: number;
  readonly deleted: number;
  /** The combined status of all consumers. */
  readonly indexing_status: WorkStatus;
}

/** Pending work of one consumer on a file. */
export interface FileWorkRow extends WorkRow {
  readonly consumer: string;
  readonly project_id: string;
  readonly bytes: number;
}

type ChangedFile = Pick<FileRow, 'id' | 'workspace_id' | 'project_id' | 'bytes'>;

/** Hands changed files to every consumer, in the transaction of the change. */
export interface FileWork {
  /** One queue a consumer, by its name. */
  readonly queues: ReadonlyMap<string, WorkQueue<FileWorkRow>>;
  /** The status of a file that has just changed: without consumers there is nothing to wait for. */
  readonly changedStatus: WorkStatus;
  add(sql: Sql, files: readonly ChangedFile[]): Promise<void>;
  /** Marks files of a project as removed; they are deleted once every consumer has settled them. Returns how much it was, and of what. */
  remove(
    sql: Sql,
    projectId: string,
    paths: readonly string[],
  ): Promise<{ readonly files: number; readonly bytes: number; readonly hashes: readonly string[] }>;
  /** Makes failed files of a project pending again for the consumers that failed, all or those of the paths. Returns how many. */
  retry(sql: Sql, projectId: string, paths?: readonly string[]): Promise<number>;
}
export const FileWork = token<FileWork>('workspaces.FileWork');

const ROWS_PER_STATEMENT = 500;

export const fileWork = provide(FileWork, {
  uses: {
    database: Database,
    consumers: FileConsumers,
    open: WorkQueues,
    deployment: Deployment,
  },
  async create({ database, consumers, open, deployment }): Promise<FileWork> {
    const names = consumers.map(({ name }) => name);
    const queues = new Map(
      names.map((consumer) => [
        consumer,
        open.open<FileWorkRow>({ name: `files.${consumer}`, table: 'file_work', where: { consumer } }),
      ]),
    );
    if (deployment.isService) await followConsumers(database, consumers, queues);
    return {
      queues,
      changedStatus: queues.size > 0 ? 'pending' : 'indexed',
      async add(sql, files) {
        for (const [consumer, queue] of queues) {
          // Of one time: the files are one change.
          const added = queue.added();
          const changed = queue.changed(sql);
          for (const batch of batchesOf(files, ROWS_PER_STATEMENT)) {
            const rows = batch.map((file) => ({ consumer, ...file, ...added }));
            await sql('file_work')
              .insert(rows)
              .onConflict(['consumer', 'id'])
              .merge({ ...changed, deleted: 0, bytes: sql.raw('excluded.bytes') });
          }
        }
      },
      async remove(sql, projectId, paths) {
        const gone: GoneFile[] = [];
        for (const batch of batchesOf(paths, ROWS_PER_STATEMENT)) {
          const files: Array<GoneFile & { readonly id: string }> = await sql('files')
            .where({ project_id: projectId, deleted: 0 })
            .whereIn('path', batch)
            .update({ deleted: 1, indexing_status: 'pending', indexing_error: null })
            .returning(['id', 'workspace_id', 'project_id', 'path', 'sha256', 'bytes']);
          const ids = files.map(({ id }) => id);
          gone.push(...files);
          if (queues.size === 0) await sql('files').whereIn('id', ids).delete();
          for (const queue of queues.values()) await queue.remove(sql, (work) => work.whereIn('id', ids));
        }
        await noteMoves(sql, gone);
        return {
          files: gone.length,
          bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
          hashes: gone.map(({ sha256 }) => sha256),
        };
      },
      async retry(sql, projectId, paths) {
        const failed = sql('files').where({ project_id: projectId, deleted: 0, indexing_status: 'failed' });
        if (paths) void failed.whereIn('path', paths);
        const files: Array<{ id: string }> = await failed
          .update({ indexing_status: 'pending', indexing_error: null })
          .returning('id');
        for (const batch of batchesOf(files, ROWS_PER_STATEMENT)) {
          const ids = batch.map(({ id }) => id);
          for (const queue of queues.values())
            await queue.requeue(sql, (work) => work.whereIn('id', ids).where({ indexing_status: 'failed' }));
        }
        return files.length;
      },
    };
  },
});

/**
 * Queues every file for a new consumer, and deletes the work of disabled consumers, so that no file waits for them.
 * Runs at the start of a service: a command beside it may have other plugins.
 */
async function followConsumers(
  database: Database,
  consumers: readonly FileConsumer[],
  queues: FileWork['queues'],
): Promise<void> {
  const names = consumers.map(({ name }) => name);
  await database.transaction(async (sql) => {
    // Of processes that start at once, the second sees what the first has queued. SQLite has one writer anyway.
    if (database.engine === 'postgresql')
      await sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', ['file consumers']);
    const gone = await sql('file_work').whereNotIn('consumer', names).delete();
    let added = 0;
    for (const { name: consumer, forget } of consumers) {
      const { pending_since = '', revision = 1 } = queues.get(consumer)?.added() ?? {};
      if (forget && !(await sql('file_work').where({ consumer }).first('id'))) await forget(sql);
      const missing = sql('files')
        .whereNotExists((work) =>
          work.select(sql.raw('1')).from('file_work').whereRaw('file_work.id = files.id').where({ consumer }),
        )
        .where({ deleted: 0 })
        .select(sql.raw('?', [consumer]), 'id', 'workspace_id', 'project_id', 'bytes')
        .select(sql.raw('?, CAST(? AS INTEGER)', [pending_since, revision]));
      const columns = ['consumer', 'id', 'workspace_id', 'project_id', 'bytes', 'pending_since', 'revision'];
      const count = await countRows(missing.clone());
      if (count === 0) continue;
      added += count;
      await sql(sql.raw('?? (??, ??, ??, ??, ??, ??, ??)', ['file_work', ...columns])).insert(missing);
    }
    if (gone === 0 && added === 0) return;
    await sql('files')
      .where({ deleted: 1 })
      .whereRaw('NOT EXISTS (SELECT 1 FROM file_work WHERE file_work.id = files.id)')
      .delete();
    const of = (status: WorkStatus) => `file_work.id = files.id AND file_work.indexing_status = '${status}'`;
    const fault = sql.raw(`(SELECT MAX(file_work.indexing_error) FROM file_work WHERE ${of('failed')})`);
    for (const [status, error] of [
      ['indexed', null],
      ['failed', fault],
      ['pending', null],
    ] as const) {
      const query = sql('files').where({ deleted: 0 });
      if (status !== 'indexed') void query.whereRaw(`EXISTS (SELECT 1 FROM file_work WHERE ${of(status)})`);
      await query.update({ indexing_status: status, indexing_error: error });
    }
    await markIndexing(sql, {});
  });
}
