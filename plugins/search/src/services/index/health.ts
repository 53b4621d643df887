import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@service-mcp/core';
import type { IndexSource } from '../../contract.js';
import type { Generations, GenerationRow } from './generations.js';
import type { IndexTables } from './index-tables.js';
import { lancedb } from './lance.js';

export interface HealthyIndex {
  readonly healthy: true;
  readonly generation: number;
  readonly tables: IndexTables;
  readonly row: GenerationRow;
}

export type Health =
  | HealthyIndex
  | { readonly healthy: false; readonly generation: number; readonly reason: string };

/** How long a check is cached. */
const HEALTH_TTL_MS = 1000;

/**
 * Whether the index can be trusted: its folder carries the marker that SQL names, holds at least as many documents
 * as SQL says are indexed, and its columns can be read. The last is checked once per process and
 * generation, and again after a failed read; a fault is never cached.
 */
export function createIndexCheck(generations: Generations, sources: readonly IndexSource[], log: Log) {
  let last: { readonly at: number; readonly marker: string; readonly health: Promise<Health> } | undefined;
  /** The marker of the generation whose columns were read. */
  let readable: string | undefined;

  async function isShort(tables: IndexTables): Promise<boolean> {
    let expected = 0;
    for (const source of sources) expected += await source.indexedTotal();
    return (await tables.documents.countRows()) < expected;
  }

  async function look(row: GenerationRow): Promise<Health> {
    const { generation, marker } = row;
    const sick = (reason: string): Health => ({ healthy: false, generation, reason });
    try {
      const tables = await generations.tables(row);
      // A document can be deleted between the two counts: only a second mismatch is a fault.
      if ((await isShort(tables)) && (await delay(50), await isShort(tables))) {
        return sick('the index holds fewer documents than the database says are indexed');
      }
      if (readable !== marker) {
        await readThrough(tables);
        readable = marker;
      }
      return { healthy: true, generation, tables, row };
    } catch (error) {
      log.error({ err: error, generation }, 'the search index cannot be opened or read');
      readable = undefined;
      return sick('the folder of the index is missing or cannot be read');
    }
  }

  return {
    /** The state of the generation that SQL names now; cached for a second unless it must be `fresh`. */
    async read({ fresh = false } = {}): Promise<Health> {
      const row = await generations.ensure();
      const now = Date.now();
      if (!fresh && last?.marker === row.marker && now - last.at < HEALTH_TTL_MS) return last.health;
      const health = look(row);
      last = { at: now, marker: row.marker, health };
      return health;
    },

    /** After a failed read or write: checks whether the index is at fault. */
    blame(error: unknown): Promise<Health> {
      log.error({ err: error }, 'the search index failed on a read or write');
      readable = undefined;
      return this.read({ fresh: true });
    },
  };
}
export type IndexCheck = ReturnType<typeof createIndexCheck>;

/** Reads the queried columns once, so that a torn data file shows now and not in an answer. */
async function readThrough(tables: IndexTables): Promise<void> {
  await tables.documents.countRows('length(text) < 0');
  await tables.chunks.countRows('length(text) < 0 OR length(terms) < 0');
  for (const column of ['terms', 'stops']) {
    const probe = new lancedb.MatchQuery('the', column);
    await tables.chunks.query().fullTextSearch(probe).select(['id']).limit(1).toArray();
  }
  for (const table of tables.vectorTables.values()) {
    await table.countRows('length(chunk_id) < 0 OR vector IS NULL');
  }
}
