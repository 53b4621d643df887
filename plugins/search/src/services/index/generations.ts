import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Database } from '@service-mcp/core';
import { IndexTables } from './index-tables.js';

/** The index in SQL: the generation in use, and its marker. */
export interface GenerationRow {
  readonly generation: number;
  readonly marker: string;
  readonly chunkerVersion: string;
  /** During a repair: the end of its lease, RFC 3339. */
  readonly heldUntil: string;
}

interface StoredRow {
  id: string;
  generation: number;
  marker: string;
  chunker_version: string;
  held_until: string;
}

const ROW = 'index';

/**
 * The generations of the index. SQL names the one in use, so that every process follows a rebuild at its next
 * query; each lives in a folder of its own, `g<generation>`.
 */
export class Generations {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #uri: string;
  #first: Promise<GenerationRow> | undefined;
  #open: { readonly marker: string; readonly tables: Promise<IndexTables> } | undefined;

  constructor(database: Database, clock: Clock, uri: string) {
    this.#database = database;
    this.#clock = clock;
    this.#uri = uri;
  }

  async read(): Promise<GenerationRow | undefined> {
    const row = await this.#database.sql<StoredRow>('search_index').where('id', ROW).first();
    return row && describe(row);
  }

  /** The generation in use; creates the first one. */
  async ensure(chunkerVersion: string): Promise<GenerationRow> {
    const row = await this.read();
    if (row) return row;
    this.#first ??= this.#makeFirst(chunkerVersion).finally(() => (this.#first = undefined));
    return this.#first;
  }

  async #makeFirst(chunkerVersion: string): Promise<GenerationRow> {
    const made = await this.#make(1, chunkerVersion);
    await this.#database.sql('search_index').insert(this.#stored(made)).onConflict('id').ignore();
    return (await this.read()) ?? made;
  }

  /** Makes an empty generation and puts it in use. Readers follow at their next query. */
  async raise(chunkerVersion: string, heldMs = 0): Promise<GenerationRow> {
    const before = await this.read();
    const made = await this.#make((before?.generation ?? 0) + 1, chunkerVersion, this.#after(heldMs));
    await this.#database.sql('search_index').insert(this.#stored(made)).onConflict('id').merge();
    return made;
  }

  /** Removes the folder of a generation that is no longer in use. Only local folders; a bucket keeps it. */
  async discard(generation: number): Promise<void> {
    if (!/^[a-z][a-z0-9+]+:\/\//iu.test(this.#uri)) {
      await rm(this.#folder(generation), { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Pauses the indexers of other processes for this long; 0 resumes them. */
  async hold(ms: number): Promise<void> {
    await this.#database
      .sql('search_index')
      .where({ id: ROW })
      .update({ held_until: this.#after(ms) });
  }

  /** Is a repair going on now? */
  isHeld(row: GenerationRow): boolean {
    return row.heldUntil > this.#clock.now().toISOString();
  }

  /** Every document was indexed by this chunker, or is pending. */
  async recordChunker(chunkerVersion: string): Promise<void> {
    await this.#database.sql('search_index').where({ id: ROW }).update({ chunker_version: chunkerVersion });
  }

  /** The open tables of a generation. Throws where they cannot be opened. */
  async tables(row: GenerationRow): Promise<IndexTables> {
    if (this.#open?.marker !== row.marker) {
      const former = this.#open;
      const tables = IndexTables.open(this.#folder(row.generation), row.marker);
      this.#open = { marker: row.marker, tables };
      void former?.tables.then((old) => old.close()).catch(() => undefined);
      tables.catch(() => {
        if (this.#open?.tables === tables) this.#open = undefined;
      });
    }
    return this.#open?.tables ?? IndexTables.open(this.#folder(row.generation), row.marker);
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.tables.then((tables) => tables.close()).catch(() => undefined);
  }

  /** A folder that holds tables belongs to another database or to a crashed attempt: it is skipped. */
  async #make(from: number, chunkerVersion: string, heldUntil = ''): Promise<GenerationRow> {
    let generation = from;
    while (!(await IndexTables.isFree(this.#folder(generation)))) generation++;
    const marker = randomUUID();
    await IndexTables.create(this.#folder(generation), marker);
    return { generation, marker, chunkerVersion, heldUntil };
  }

  #after(ms: number): string {
    return ms === 0 ? '' : new Date(this.#clock.now().getTime() + ms).toISOString();
  }

  #folder(generation: number): string {
    const name = `g${String(generation)}`;
    return this.#uri.includes('://') ? `${this.#uri.replace(/\/+$/u, '')}/${name}` : join(this.#uri, name);
  }

  #stored(row: GenerationRow) {
    return {
      id: ROW,
      generation: row.generation,
      marker: row.marker,
      chunker_version: row.chunkerVersion,
      held_until: row.heldUntil,
      created_at: this.#clock.now().toISOString(),
    };
  }
}

function describe(row: StoredRow): GenerationRow {
  return {
    generation: row.generation,
    marker: row.marker,
    chunkerVersion: row.chunker_version,
    heldUntil: row.held_until,
  };
}
