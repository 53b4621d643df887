import {
  Clock,
  Database,
  Events,
  countRows,
  provide,
  type NewChangeEvent,
  type Sql,
} from '@service-mcp/core';
import { FILES_PENDING, FileQueue, type FileOutcome, type FileState, type QueuedFile } from '../contract.js';
import { announceReady, markIndexing } from './project-ready.js';
import { pendingAgain, purgeEmptied } from './removal.js';

const MOST_ATTEMPTS = 5;
const FIRST_BACK_OFF_MS = 5_000;
/** Of files tried this often without an outcome, one may be what ends the process: they come in ever smaller batches. */
const SUSPECT_ATTEMPTS = 3;
/** How many come together of files that were tried three times, four times, and more often. */
const SUSPECTS_A_BATCH = [64, 8, 1] as const;
const IDS_A_STATEMENT = 500;

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly revision: number;
  readonly deleted: number;
  readonly modified_at: string;
  readonly attempts: number;
}

export const fileQueue = provide(FileQueue, {
  uses: { database: Database, events: Events, clock: Clock },
  create: ({ database, events, clock }): FileQueue => {
    const now = () => clock.now().toISOString();

    async function texts(rows: readonly Row[]): Promise<Map<string, string>> {
      const found = new Map<string, string>();
      for (const workspaceId of new Set(rows.map((row) => row.workspace_id))) {
        const hashes = rows.filter((row) => row.workspace_id === workspaceId).map((row) => row.sha256);
        const contents = (await database
          .sql('file_contents')
          .where({ workspace_id: workspaceId })
          .whereIn('sha256', hashes)
          .select('sha256', 'content')) as Array<{ sha256: string; content: string }>;
        for (const { sha256, content } of contents) found.set(`${workspaceId} ${sha256}`, content);
      }
      return found;
    }

    return {
      async claim(limit, maxBytes) {
        const waiting = (await database
          .sql('files')
          .where({ indexing_status: 'pending' })
          .where('next_attempt_at', '<=', now())
          .orderBy([{ column: 'attempts' }, { column: 'id' }])
          .limit(limit)) as Row[];
        const rows = batchOf(waiting, maxBytes);
        if (rows.length === 0) {
          await announceReady(database, events); // what a process settled that died before it could say so
          return [];
        }
        await database
          .sql('files')
          .whereIn(
            'id',
            rows.map((row) => row.id),
          )
          .increment('attempts', 1);
        const content = await texts(rows.filter((row) => row.deleted === 0));
        return rows.map((row) => toQueued(row, content.get(`${row.workspace_id} ${row.sha256}`)));
      },
      async settle(outcomes) {
        await events.change(async (sql, record) => {
          let purged = false;
          for (const outcome of outcomes) {
            const { change, gone } = await settleOne(sql, outcome, clock.now());
            if (change) record(change);
            purged ||= gone;
          }
          if (purged) await purgeEmptied(sql);
        });
        await announceReady(database, events);
      },
      async states(ids) {
        const states = new Map<string, FileState>();
        for (let at = 0; at < ids.length; at += IDS_A_STATEMENT) {
          const rows = (await database
            .sql('files')
            .whereIn('id', ids.slice(at, at + IDS_A_STATEMENT))
            .where({ deleted: 0 })
            .select('id', 'sha256', 'modified_at')) as Row[];
          for (const row of rows) states.set(row.id, { sha256: row.sha256, updatedAt: row.modified_at });
        }
        return states;
      },
      indexedTotal: () => countRows(database.sql('files').where({ indexing_status: 'indexed', deleted: 0 })),
      async requeueAll() {
        const count = await database.transaction(async (sql) => {
          await markIndexing(sql, {});
          return sql('files').update(pendingAgain(sql, now()));
        });
        events.wake(FILES_PENDING);
        return count;
      },
    };
  },
});

function batchOf(waiting: readonly Row[], maxBytes: number): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of waiting) {
    const [first = row] = rows;
    // Those that were never suspected stay apart from those that are.
    if (row.attempts >= SUSPECT_ATTEMPTS && first.attempts !== row.attempts) break;
    if (rows.length > 0 && (bytes + row.bytes > maxBytes || rows.length >= mostTogether(row.attempts))) break;
    rows.push(row);
    bytes += row.bytes;
  }
  return rows;
}

function mostTogether(attempts: number): number {
  const suspicion = attempts - SUSPECT_ATTEMPTS;
  return suspicion < 0 ? Number.POSITIVE_INFINITY : (SUSPECTS_A_BATCH[suspicion] ?? 1);
}

function toQueued(row: Row, text: string | undefined): QueuedFile {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    path: row.path,
    language: row.language,
    sha256: row.sha256,
    revision: row.revision,
    removed: row.deleted === 1,
    text: text ?? '',
    updatedAt: row.modified_at,
    attempts: row.attempts + 1,
  };
}

/** Writes one outcome, unless the file has changed since it was claimed. */
async function settleOne(
  sql: Sql,
  outcome: FileOutcome,
  now: Date,
): Promise<{ change?: NewChangeEvent; gone: boolean }> {
  const { id, revision } = outcome;
  const row = (await sql('files').where({ id, revision }).first()) as Row | undefined;
  if (!row) return { gone: false };
  const data = { project_id: row.project_id, path: row.path };
  const workspaceId = row.workspace_id;
  if (outcome.status === 'indexed') {
    if (row.deleted === 1) {
      await sql('files').where({ id, revision }).delete();
      return { change: { type: 'file.removed', workspaceId, data }, gone: true };
    }
    await sql('files').where({ id, revision }).update({
      indexing_status: 'indexed',
      indexing_error: null,
      attempts: 0,
      chunks: outcome.chunks,
      indexed_at: now.toISOString(),
    });
    return { change: { type: 'file.indexed', workspaceId, data }, gone: false };
  }
  // A removal is never given up: what is deleted must leave the index.
  const final = row.deleted === 0 && (outcome.permanent === true || row.attempts >= MOST_ATTEMPTS);
  const waitMs = FIRST_BACK_OFF_MS * 2 ** Math.min(row.attempts - 1, MOST_ATTEMPTS);
  await sql('files')
    .where({ id, revision })
    .update({
      indexing_status: final ? 'failed' : 'pending',
      indexing_error: outcome.error,
      next_attempt_at: new Date(now.getTime() + waitMs).toISOString(),
    });
  return final
    ? { change: { type: 'file.failed', workspaceId, data: { ...data, error: outcome.error } }, gone: false }
    : { gone: false };
}
