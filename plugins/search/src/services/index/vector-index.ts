import { indexStats } from './index-stats.js';
import { lancedb, withRetry, type Table } from './lance.js';
import { erase } from './table-writes.js';

const COLUMN = 'vector';
/** The name that LanceDB gives the index of that column. */
const NAME = `${COLUMN}_idx`;

/** From this many on, vectors have an index: it is in memory, where a scan of the table reads it from the disk. */
const INDEXED_ROWS = 1000;
/**
 * Up to about this many, exact comparison with all vectors takes less than approximate codes and reading the best again
 * (ADR 90).
 */
const EXACT_ROWS = 50_000;
/** An index stays of its kind while the rows are within this factor of the bound. */
const SLACK = 1.5;
/** A partition of approximate codes for every so many vectors, within bounds. */
const VECTORS_A_PARTITION = 1024;
const MAX_PARTITIONS = 256;
/** Rows read in full per requested row, to sort approximate neighbours exactly. */
const REFINE = 2;

/**
 * Makes the index of a table of vectors, or one of the other kind where the table has grown or shrunk. Every query probes
 * all partitions, so that neither growth nor a new space asks for another build: over vectors of a space that approximate
 * codes were not made for, recall@200 stays 1.00 as measured.
 */
export async function indexVectors(table: Table, exactRows = EXACT_ROWS): Promise<void> {
  const rows = await table.countRows();
  if (rows < INDEXED_ROWS) return;
  const { indexType } = (await table.indexStats(NAME)) ?? {};
  const slack = indexType === undefined ? 1 : isCoded(indexType) ? 1 / SLACK : SLACK;
  const wantsCodes = rows > exactRows * slack;
  if (indexType !== undefined && isCoded(indexType) === wantsCodes) return;
  const { Index } = lancedb();
  const numPartitions = Math.min(MAX_PARTITIONS, Math.round(rows / VECTORS_A_PARTITION));
  const config = wantsCodes
    ? Index.ivfRq({ numPartitions, numBits: 4, distanceType: 'cosine' })
    : exactIndex();
  await table.createIndex(COLUMN, { config });
}

/**
 * Deletes vectors, and makes an exact index of the rest: LanceDB 0.31.0 takes what was deleted from one only when it
 * compacts the fragment, so that it may hold the vectors of a replaced space for good, and every query compares them.
 */
export async function eraseVectors(table: Table, where: string): Promise<void> {
  if ((await table.countRows(where)) === 0) return;
  const { indexType } = (await table.indexStats(NAME)) ?? {};
  await erase(table, where);
  if (indexType === undefined || isCoded(indexType)) return;
  if ((await table.countRows()) >= INDEXED_ROWS)
    await withRetry(() => table.createIndex(COLUMN, { config: exactIndex() }));
  // LanceDB drops an index itself with the last of its rows.
  else if (await table.indexStats(NAME)) await withRetry(() => table.dropIndex(NAME));
}

function exactIndex() {
  return lancedb().Index.ivfFlat({ numPartitions: 1, distanceType: 'cosine' });
}

/**
 * A query for the vectors nearest to one by cosine, with exact distances: of codes they have another scale until they are
 * read again.
 */
export async function nearestVectors(table: Table, vector: Float32Array) {
  const stats = await indexStats(table, NAME);
  const nearest = table.query().nearestTo(vector).distanceType('cosine').nprobes(MAX_PARTITIONS);
  return stats && isCoded(stats.indexType) ? nearest.refineFactor(REFINE) : nearest;
}

function isCoded(indexType: string): boolean {
  return indexType === 'IVF_RQ';
}
