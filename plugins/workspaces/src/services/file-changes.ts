import {
  Clock,
  Database,
  Events,
  provide,
  type RecordEvents,
  type Sql,
  type WorkQueue,
} from '@service-mcp/core';
import { FileChanges, type FileOutcome, type QueuedFile } from '../contract.js';
import { batchesOf, IDS_PER_STATEMENT } from './batches.js';
import { CONTENT_OF_FILE, type PackedContent } from './contents.js';
import { unpackText } from './packed-text.js';
import { FileWork, type FileRow, type FileWorkRow } from './file-work.js';
import { fileStates } from './file-states.js';
import { announceReady, markIndexing } from './project-ready.js';

export const fileChanges = provide(FileChanges, {
  uses: { database: Database, events: Events, clock: Clock, work: FileWork },
  create({ database, events, clock, work }) {
    const states = fileStates(database);
    const opened = new Map([...work.queues].map(([name, queue]) => [name, changesOf(name, queue)]));

    function changesOf(consumer: string, queue: WorkQueue<FileWorkRow>): FileChanges {
      return {
        async waitingWorkspaces(which) {
          const waiting = await queue.waitingWorkspaces(which);
          if (waiting.length === 0 && !which?.small) await announceReady(database, events); // a process may have died after it settled the last files
          return waiting;
        },
        async claim(limits) {
          const claimed = await queue.claim(limits);
          if (claimed.length === 0 && !limits.small) await announceReady(database, events); // as above
          return readFiles(database, claimed);
        },
        async settle(outcomes) {
          // Not in one transaction: it would hold the writer for as long as there are files.
          for (const batch of batchesOf(outcomes, IDS_PER_STATEMENT))
            await events.change(async (sql, record) => {
              await lockProjects(sql, consumer, batch);
              const { removed, indexed, failed } = await queue.settle(sql, batch);
              await followWork(sql, record, [...removed, ...indexed, ...failed], batch);
            });
          await announceReady(database, events);
        },
        states: (ids) => states.of(ids),
        statesIn: (workspaceId) => states.inWorkspace(workspaceId),
        async texts(ids) {
          const texts = new Map<string, string>();
          for (const batch of batchesOf(ids, IDS_PER_STATEMENT)) {
            const rows: Array<PackedContent & { id: string }> = await database
              .sql('files')
              .join('file_contents', CONTENT_OF_FILE)
              .whereIn('files.id', batch)
              .where({ deleted: 0 })
              .select('files.id', 'file_contents.packed');
            for (const { id, packed } of rows) texts.set(id, unpackText(packed));
          }
          return texts;
        },
        newest: (workspaceId, limit) => queue.newest(workspaceId, limit),
        pendingIn: async (project_id) => (await queue.glance({ project_id })).pending,
        indexedTotal: async (workspace_id) => (await queue.counts({ workspace_id })).indexed,
        requeue: (workspaceId, ids) =>
          database.transaction(async (sql) => {
            const where = workspaceId === undefined ? {} : { workspace_id: workspaceId };
            const files = () => {
              const found = sql('files').where(where);
              return ids ? found.whereIn('id', ids) : found;
            };
            await markIndexing(sql, where, ids && files().distinct('project_id'));
            await files().update({ indexing_status: 'pending', indexing_error: null });
            return queue.requeue(sql, (rows) => {
              void rows.where(where);
              return ids ? rows.whereIn('id', ids) : rows;
            });
          }),
      };
    }

    /** Updates files to the combined status of all consumers. */
    async function followWork(
      sql: Sql,
      record: RecordEvents,
      settled: readonly FileWorkRow[],
      outcomes: readonly FileOutcome[],
    ): Promise<void> {
      const indexed_at = clock.now().toISOString();
      const ids = settled.map(({ id }) => id);
      const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
      const open = new Map<string, FileWorkRow[]>(ids.map((id) => [id, []]));
      for (const row of await sql<FileWorkRow>('file_work').whereIn('id', ids)) open.get(row.id)?.push(row);
      const files = await sql<FileRow>('files')
        .whereIn('id', ids)
        .select('id', 'workspace_id', 'project_id', 'path');
      const gone: string[] = [];
      const updates = new Map<string, { readonly values: object; readonly ids: string[] }>();
      const update = (id: string, values: object) => {
        const key = JSON.stringify(values);
        const same = updates.get(key);
        if (same) same.ids.push(id);
        else updates.set(key, { values, ids: [id] });
      };
      for (const { id, workspace_id: workspaceId, project_id, path } of files) {
        const all = open.get(id) ?? [];
        const outcome = byId.get(id);
        const counted =
          outcome?.status === 'indexed' && outcome.chunks !== undefined ? { chunks: outcome.chunks } : {};
        const data = { project_id, path };
        const failed = all.find((row) => row.indexing_status === 'failed');
        if (all.length === 0) {
          gone.push(id);
          record({ type: 'file.removed', workspaceId, data });
        } else if (all.some((row) => row.indexing_status === 'pending')) {
          if ('chunks' in counted) update(id, counted);
        } else if (failed) {
          const error = failed.indexing_error ?? '';
          update(id, { ...counted, indexing_status: 'failed', indexing_error: error });
          record({ type: 'file.failed', workspaceId, data: { ...data, error } });
        } else {
          update(id, { ...counted, indexing_status: 'indexed', indexing_error: null, indexed_at });
          record({ type: 'file.indexed', workspaceId, data });
        }
      }
      await sql('files').whereIn('id', gone).delete();
      for (const { values, ids: same } of updates.values())
        await sql('files').whereIn('id', same).update(values);
    }

    return {
      for(consumer) {
        const changes = opened.get(consumer);
        if (changes) return changes;
        throw new Error(`no plugin contributes the file consumer "${consumer}"`);
      },
    };
  },
});

/**
 * Locks the projects of the outcomes, in one order: two consumers that settle a file at once, or an ingest, wait for each
 * other here, so that the last one sees the results of the others.
 */
async function lockProjects(sql: Sql, consumer: string, outcomes: readonly FileOutcome[]): Promise<void> {
  const ids = outcomes.map(({ id }) => id);
  const projects = sql('file_work').where({ consumer }).whereIn('id', ids).distinct('project_id');
  await sql('projects').whereIn('id', projects).orderBy('id').forUpdate().select('id');
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

/** Files of claimed work with their texts, in the order of the work. */
async function readFiles(database: Database, work: readonly FileWorkRow[]): Promise<QueuedFile[]> {
  const found = new Map<string, FileRow & Nullable<PackedContent>>();
  for (const batch of batchesOf(work, IDS_PER_STATEMENT)) {
    const ids = batch.map(({ id }) => id);
    const rows = (await database
      .sql('files')
      .leftJoin('file_contents', CONTENT_OF_FILE)
      .whereIn('files.id', ids)
      .select('files.*', 'file_contents.packed')) as Array<FileRow & Nullable<PackedContent>>;
    for (const row of rows) found.set(row.id, row);
  }
  return work.flatMap((item): QueuedFile[] => {
    const file = found.get(item.id);
    if (!file) return []; // its project was deleted meanwhile
    const removed = item.deleted === 1;
    return [
      {
        id: item.id,
        workspaceId: item.workspace_id,
        projectId: item.project_id,
        path: file.path,
        language: file.language,
        sha256: file.sha256,
        revision: item.revision,
        removed,
        text: removed || !file.packed ? '' : unpackText(file.packed),
        updatedAt: file.modified_at,
        attempts: item.attempts,
      },
    ];
  });
}
