import type { Log } from '@service-mcp/core';
import type { IndexTables } from './index-tables.js';
import { lancedb, type Table } from './lance.js';

/** Unindexed rows cost every query a scan: past this many, indexing does not wait for quiet. */
const UNINDEXED_ROWS = 4000;
/** Versions older than this are removed; a reader of another process may still be on a younger one. */
const KEEP_VERSIONS_MS = 2 * 60_000;
/** From this many on, a scan of all vectors is slower than the approximate index. */
const VECTOR_INDEX_ROWS = 100_000;
export const VECTOR_INDEX_PARTITIONS = 100;

/** Compacts tables, updates indexes and removes old versions, between writes. */
export function createMaintenance(quietMs: number, log: Log) {
  let writes = 0;
  let rows = 0;
  let lastWrite = 0;

  async function optimize(table: Table): Promise<void> {
    try {
      await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) });
    } catch (error) {
      // A conflict with a write of another process: the next round retries.
      writes++;
      log.debug({ err: error, table: table.name }, 'compaction of the index is put off');
    }
  }

  return {
    /** Runs when due: after `quietMs` without writes, or when much is unindexed. */
    async step(tables: IndexTables, rowsWritten: number): Promise<void> {
      const written = tables.takeWritten();
      if (written > 0) {
        writes += written;
        rows += rowsWritten;
        lastWrite = Date.now();
      }
      const quiet = writes > 0 && Date.now() - lastWrite >= quietMs;
      if (!quiet && rows < UNINDEXED_ROWS && writes < 100) return;
      writes = 0;
      rows = 0;
      await tables.exclusively(async () => {
        const vectors = [...tables.vectorTables.values()];
        for (const table of [tables.chunks, tables.documents, ...vectors]) await optimize(table);
        for (const table of vectors) await indexVectors(table);
      });
    },

    /**
     * To be called after each write, before it counts as indexed: brings every row into the text index. Over rows
     * outside it, LanceDB 0.31.0 weighs terms wrongly: one in no indexed row weighs nothing, so that a new word is
     * not found, and each occurrence counts as a row, so that a frequent term can weigh less than nothing.
     */
    async followWrites(tables: IndexTables): Promise<void> {
      const stats = await tables.chunks.indexStats('terms_idx');
      if (stats && stats.numUnindexedRows > 0) await tables.exclusively(() => optimize(tables.chunks));
    },
  };
}
export type Maintenance = ReturnType<typeof createMaintenance>;

async function indexVectors(table: Table): Promise<void> {
  if ((await table.countRows()) < VECTOR_INDEX_ROWS) return;
  if ((await table.listIndices()).some(({ columns }) => columns.includes('vector'))) return;
  const config = lancedb.Index.ivfRq({
    numPartitions: VECTOR_INDEX_PARTITIONS,
    numBits: 4,
    distanceType: 'cosine',
  });
  await table.createIndex('vector', { config });
}
