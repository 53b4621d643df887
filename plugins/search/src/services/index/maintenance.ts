import type { Log } from '@service-mcp/core';
import { removeEmptyFolders } from './empty-folders.js';
import type { IndexTables } from './index-tables.js';
import { isConflict, withRetry, type Table } from './lance.js';
import { indexVectors } from './vector-index.js';

/** How tables are maintained. */
export interface MaintenanceOptions {
  readonly log: Log;
  /** Versions older than this many milliseconds are removed: longer than any query, whose reader may still be on one. */
  readonly keepVersionsMs: number;
}

/**
 * Compacts the tables of an index, updates their indexes and removes old versions. False where some of it was put off.
 * Each table may take a second: `between` them, the caller can write what must not wait.
 */
export async function maintain(
  tables: IndexTables,
  options: MaintenanceOptions,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  let done = true;
  const vectors = [...tables.vectorTables.values()];
  for (const table of [tables.chunks, tables.documents, ...vectors]) {
    await tables.exclusively(async () => {
      if (!(await compact(table, options))) done = false;
      const folder = tables.folderOf(table);
      if (folder !== undefined)
        await removeEmptyFolders(folder, new Date(Date.now() - options.keepVersionsMs));
    });
    await between();
  }
  for (const table of vectors) {
    await tables.exclusively(() => indexVectors(table));
    await between();
  }
  return done;
}

/**
 * To be called after each write, before it counts as indexed: brings every row into the text index. Over rows
 * outside it, LanceDB 0.31.0 weighs terms wrongly: one in no indexed row weighs nothing, so that a new word is
 * not found, and each occurrence counts as a row, so that a frequent term can weigh less than nothing. Throws where it fails.
 */
export async function indexText(tables: IndexTables, options: MaintenanceOptions): Promise<void> {
  const stats = await tables.chunks.indexStats('terms_idx');
  if (stats && stats.numUnindexedRows > 0)
    await tables.exclusively(() => withRetry(() => optimize(tables.chunks, options)));
}

async function optimize(table: Table, { keepVersionsMs }: MaintenanceOptions): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) });
}

/** False where it was put off, as by a conflict with a write of another process. */
async function compact(table: Table, options: MaintenanceOptions): Promise<boolean> {
  try {
    await optimize(table, options);
    return true;
  } catch (error) {
    const level = isConflict(error) ? 'debug' : 'warn';
    options.log[level]({ err: error, table: table.name }, 'compaction of the index is put off');
    return false;
  }
}
