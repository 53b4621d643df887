import type { Log } from '@service-mcp/core';
import type { IndexTables } from './index-tables.js';
import { lancedb, type Table } from './lance.js';

/** Unindexed rows cost every query a scan: past this many, indexing does not wait for quiet. */
const UNINDEXED_ROWS = 4000;
/** Writes without maintenance, each of which leaves a version and a fragment. */
const MAX_WRITES = 100;
/** Indexes maintained between two rounds of the indexer. */
const INDEXES_PER_STEP = 8;
/** Versions older than this are removed; a reader of another process may still be on a younger one. */
const KEEP_VERSIONS_MS = 2 * 60_000;
/** From this many on, a scan of all vectors (16 ms at 20,000) is slower than the approximate index (5 ms). */
const VECTOR_INDEX_ROWS = 4000;
/** A partition for every so many vectors, within bounds. */
const VECTORS_A_PARTITION = 1024;
const MIN_PARTITIONS = 16;
export const MAX_PARTITIONS = 256;

/** Writes to an index since its last maintenance. */
interface Written {
  readonly tables: IndexTables;
  writes: number;
  rows: number;
  lastWrite: number;
}

/** Compacts tables, updates indexes and removes old versions, between writes. */
export function createMaintenance(quietMs: number, log: Log) {
  const waiting = new Map<string, Written>();
  /** Indexes at rest whose last versions are still to be removed: they hold many times the bytes of the newest. */
  const cleanUpAt = new Map<string, { readonly tables: IndexTables; readonly at: number }>();

  /** False where it was put off, by a conflict with a write of another process. */
  async function optimize(table: Table): Promise<boolean> {
    try {
      await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) });
      return true;
    } catch (error) {
      log.debug({ err: error, table: table.name }, 'compaction of the index is put off');
      return false;
    }
  }

  /** False where some of it was put off. */
  async function maintain(tables: IndexTables): Promise<boolean> {
    let done = true;
    await tables.exclusively(async () => {
      const vectors = [...tables.vectorTables.values()];
      for (const table of [tables.chunks, tables.documents, ...vectors]) {
        if (!(await optimize(table))) done = false;
      }
      for (const table of vectors) await indexVectors(table);
    });
    return done;
  }

  return {
    /** Notes that so many rows were written to the index of a workspace. */
    wrote(workspaceId: string, tables: IndexTables, rows: number): void {
      const before = waiting.get(workspaceId);
      const { writes = 0, rows: more = 0 } = before?.tables === tables ? before : {};
      waiting.set(workspaceId, { tables, writes: writes + 1, rows: more + rows, lastWrite: Date.now() });
    },

    /** Maintains the indexes that are due: after `quietMs` without writes, or when much is unindexed. */
    async step(): Promise<void> {
      const due = [...waiting].filter(
        ([, { writes, rows, lastWrite }]) =>
          Date.now() - lastWrite >= quietMs || rows >= UNINDEXED_ROWS || writes >= MAX_WRITES,
      );
      for (const [workspaceId, { tables }] of due.slice(0, INDEXES_PER_STEP)) {
        waiting.delete(workspaceId);
        if (await maintain(tables)) cleanUpAt.set(workspaceId, { tables, at: Date.now() + KEEP_VERSIONS_MS });
        else waiting.set(workspaceId, { tables, writes: 1, rows: 0, lastWrite: Date.now() });
      }
      const old = [...cleanUpAt].filter(([, { at }]) => Date.now() > at);
      for (const [workspaceId, { tables }] of old.slice(0, INDEXES_PER_STEP)) {
        cleanUpAt.delete(workspaceId);
        await maintain(tables);
      }
    },

    /**
     * To be called after each write, before it counts as indexed: brings every row into the text index. Over rows
     * outside it, LanceDB 0.31.0 weighs terms wrongly: one in no indexed row weighs nothing, so that a new word is
     * not found, and each occurrence counts as a row, so that a frequent term can weigh less than nothing.
     */
    async followWrites(tables: IndexTables): Promise<void> {
      const stats = await tables.chunks.indexStats('terms_idx');
      if (stats && stats.numUnindexedRows > 0)
        await tables.exclusively(async () => void (await optimize(tables.chunks)));
    },
  };
}
export type Maintenance = ReturnType<typeof createMaintenance>;

/**
 * Every query probes all partitions, so that neither growth nor a new space asks for another build: over vectors of a
 * space that the index was not built for, recall@200 stays 1.00 as measured.
 */
async function indexVectors(table: Table): Promise<void> {
  const rows = await table.countRows();
  if (rows < VECTOR_INDEX_ROWS) return;
  if ((await table.listIndices()).some(({ columns }) => columns.includes('vector'))) return;
  const numPartitions = Math.max(
    MIN_PARTITIONS,
    Math.min(MAX_PARTITIONS, Math.round(rows / VECTORS_A_PARTITION)),
  );
  const config = lancedb.Index.ivfRq({ numPartitions, numBits: 4, distanceType: 'cosine' });
  await table.createIndex('vector', { config });
}
