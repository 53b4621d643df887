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
export class IndexCheck {
  readonly #generations: Generations;
  readonly #sources: readonly IndexSource[];
  readonly #log: Log;
  #last: { readonly at: number; readonly marker: string; readonly health: Promise<Health> } | undefined;
  #readThrough: string | undefined;

  constructor(generations: Generations, sources: readonly IndexSource[], log: Log) {
    this.#generations = generations;
    this.#sources = sources;
    this.#log = log;
  }

  /** The state of the generation that SQL names now; cached for a second. */
  async read(options: { readonly fresh?: boolean } = {}): Promise<Health> {
    const row = await this.#generations.ensure();
    const now = Date.now();
    const last = this.#last;
    if (!options.fresh && last?.marker === row.marker && now - last.at < HEALTH_TTL_MS) return last.health;
    const health = this.#look(row);
    this.#last = { at: now, marker: row.marker, health };
    return health;
  }

  /** After a failed read or write: checks whether the index is at fault. */
  async blame(error: unknown): Promise<Health> {
    this.#log.error({ err: error }, 'the search index failed on a read or write');
    this.#readThrough = undefined;
    return this.read({ fresh: true });
  }

  async #look(row: GenerationRow): Promise<Health> {
    const sick = (reason: string): Health => ({ healthy: false, generation: row.generation, reason });
    try {
      const tables = await this.#generations.tables(row);
      // A document can be deleted between the two counts: only a second mismatch is a fault.
      if ((await this.#isShort(tables)) && (await delay(50), await this.#isShort(tables))) {
        return sick('the index holds fewer documents than the database says are indexed');
      }
      if (this.#readThrough !== row.marker) {
        await readThrough(tables);
        this.#readThrough = row.marker;
      }
      return { healthy: true, generation: row.generation, tables, row };
    } catch (error) {
      this.#log.error(
        { err: error, generation: row.generation },
        'the search index cannot be opened or read',
      );
      this.#readThrough = undefined;
      return sick('the folder of the index is missing or cannot be read');
    }
  }

  async #isShort(tables: IndexTables): Promise<boolean> {
    let expected = 0;
    for (const source of this.#sources) expected += await source.indexedTotal();
    return (await tables.documents.countRows()) < expected;
  }
}

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
