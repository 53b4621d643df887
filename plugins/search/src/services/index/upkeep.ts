import type { Clock, Database, Leases } from '@service-mcp/core';
import { isOutage } from '../outage.js';
import type { TrigramIndex } from '../trigrams/trigram-index.js';
import type { HealthyIndex, IndexCheck } from './health.js';
import { takeIndexLease, type Turn } from './index-lease.js';
import { maintain, type MaintenanceOptions } from './maintenance.js';

/**
 * Unindexed rows cost every query a scan: past this many, and a part of all rows, maintenance does not wait for quiet. It
 * rewrites the tables: in parts, an ingest rewrites each row a few times only.
 */
const UNINDEXED_ROWS = 4000;
const UNINDEXED_PART = 4;
/**
 * Turns without maintenance, each of which leaves a version and a fragment, or several, in every table: a search over 96 fragments
 * takes three to ten times as long. Maintenance rewrites the tables, so that a larger index waits for more writes.
 */
const MAX_WRITES = 3;
const CHUNKS_A_WRITE = 4000;
/** Indexes maintained between two rounds of the indexer. */
const INDEXES_PER_STEP = 8;
/** Maintenance that failed, or that was put off, is tried again after so many times `quietMs`. */
const RETRY_AFTER = 4;

interface UpkeepRow {
  readonly workspace_id: string;
  /** Writes and rows since the last maintenance, and the time of the last write (RFC 3339). */
  readonly writes: number;
  readonly written_rows: number;
  readonly written_at: string;
  /** In the index after the last write. */
  readonly chunks: number;
  readonly marker: string;
  readonly versions: string;
  /**
   * When the last versions of an index at rest are removed, which hold many times the bytes of the newest, and its merged
   * segments of trigrams. Empty: done.
   */
  readonly clean_at: string;
}

interface UpkeepParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly check: IndexCheck;
  readonly trigrams: TrigramIndex;
  readonly maintenance: MaintenanceOptions;
  /** How long an index is without writes before it is maintained. */
  readonly quietMs: number;
}

/** Called between two tables of the index of a workspace, with its lease. */
type Between = (turn: Turn) => Promise<unknown>;

/** Which indexes are due for maintenance: recorded in SQL, so that it survives the process that wrote them. */
export function createUpkeep({
  database,
  clock,
  leases,
  check,
  trigrams,
  maintenance,
  quietMs,
}: UpkeepParts) {
  const rows = () => database.sql<UpkeepRow>('search_indexes');
  /** Indexes whose maintenance failed, and when it is tried again. */
  const waiting = new Map<string, number>();
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();

  async function due(limit: number): Promise<readonly string[]> {
    const found = await rows()
      .whereRaw('(writes - ?) * ? >= chunks', [MAX_WRITES, CHUNKS_A_WRITE])
      .orWhere(
        (many) =>
          void many
            .where('written_rows', '>=', UNINDEXED_ROWS)
            .whereRaw('written_rows * ? >= chunks', [UNINDEXED_PART]),
      )
      .orWhere((quiet) => void quiet.where('writes', '>', 0).where('written_at', '<=', inMs(-quietMs)))
      .orWhere((old) => void old.whereNot({ clean_at: '' }).where('clean_at', '<=', inMs(0)))
      .orderBy('written_at')
      .limit(limit)
      .select('workspace_id');
    return found.map(({ workspace_id }) => workspace_id);
  }

  async function maintainOne(workspace_id: string, between: Between): Promise<void> {
    await using lease = await takeIndexLease(leases, workspace_id);
    const before = lease && (await rows().where({ workspace_id }).first());
    if (!before) return;
    const segmentsExpireAt = await trigrams.maintain(workspace_id);
    const index = await check.read(workspace_id);
    const pause = () => between({ workspaceId: workspace_id, lease });
    const isDone = !index.healthy || !index.tables || (await maintain(index.tables, maintenance, pause));
    const done = {
      writes: database.sql.raw('writes - ?', [before.writes]), // more were written between the tables
      written_rows: database.sql.raw('written_rows - ?', [before.written_rows]),
      clean_at: before.writes === 0 ? segmentsExpireAt : inMs(maintenance.keepVersionsMs),
    };
    await (isDone ? rows().where({ workspace_id }).update(done) : putOff(workspace_id));
  }

  /** Also behind those that are due. */
  async function putOff(workspace_id: string): Promise<void> {
    waiting.set(workspace_id, performance.now() + RETRY_AFTER * quietMs);
    await rows()
      .where({ workspace_id })
      .update({ written_at: inMs(0) });
  }

  return {
    /** How many chunks an index held after its last write; 0 where it has not been made. */
    chunks: async (workspaceId: string): Promise<number> =>
      (await rows().where({ workspace_id: workspaceId }).first('chunks'))?.chunks ?? 0,

    /** Notes what was written to an index, how many rows it holds now, for the metrics, and the versions of its tables. */
    async wrote({ place, tables }: HealthyIndex, written: number): Promise<void> {
      await rows()
        .where({ workspace_id: place.workspaceId, marker: place.marker })
        .update({
          ...(await tables.counts()),
          versions: JSON.stringify(await tables.versions()),
          writes: database.sql.raw('writes + 1'),
          written_rows: database.sql.raw('written_rows + ?', [written]),
          written_at: inMs(0),
        });
    },

    /** Whether an index is due, or waits to be quiet. */
    hasWork: async (): Promise<boolean> =>
      (await rows().where('writes', '>', 0).first('workspace_id')) !== undefined || (await due(1)).length > 0,

    /**
     * Maintains the indexes that are due: after `quietMs` without writes, or when much is unindexed. One that fails comes
     * after the others, and later.
     */
    async step(between: Between, signal: AbortSignal): Promise<void> {
      for (const workspace_id of await due(INDEXES_PER_STEP)) {
        if (performance.now() < (waiting.get(workspace_id) ?? 0)) continue;
        waiting.delete(workspace_id);
        try {
          await maintainOne(workspace_id, between);
        } catch (error) {
          if (signal.aborted || isOutage(error)) throw error;
          maintenance.log.warn({ err: error, workspace: workspace_id }, 'maintenance of an index failed');
          await putOff(workspace_id);
          const index = await check.read(workspace_id);
          if (index.healthy && index.tables) await check.blame(error, index.place);
        }
      }
    },
  };
}
export type Upkeep = ReturnType<typeof createUpkeep>;
