import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Database } from '@service-mcp/core';
import { CHUNKER_VERSION } from '../chunking/chunk.js';
import { IndexTables } from './index-tables.js';

/** The index in SQL: the generation in use, and its marker. */
export interface GenerationRow {
  readonly id: 'index';
  readonly generation: number;
  readonly marker: string;
  readonly chunker_version: string;
  /** During a repair: the end of its lease, RFC 3339. */
  readonly held_until: string;
  readonly created_at: string;
}

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

  /** `uri`: a folder, or an object store. */
  constructor(database: Database, clock: Clock, uri: string) {
    this.#database = database;
    this.#clock = clock;
    this.#uri = uri;
  }

  async read(): Promise<GenerationRow | undefined> {
    return this.#row().first();
  }

  /** The generation in use; creates the first one. */
  async ensure(): Promise<GenerationRow> {
    const row = await this.read();
    if (row) return row;
    this.#first ??= this.#makeFirst().finally(() => (this.#first = undefined));
    return this.#first;
  }

  /** Makes an empty generation and puts it in use. Readers follow at their next query. */
  async raise(heldMs: number): Promise<GenerationRow> {
    const before = await this.read();
    const made = await this.#make((before?.generation ?? 0) + 1, heldMs);
    await this.#database.sql('search_index').insert(made).onConflict('id').merge();
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
    await this.#row().update({ held_until: this.#after(ms) });
  }

  /** Is a repair going on now? */
  isHeld(row: GenerationRow): boolean {
    return row.held_until > this.#clock.now().toISOString();
  }

  /** Every document was indexed by this chunker, or is pending. */
  async recordChunker(): Promise<void> {
    await this.#row().update({ chunker_version: CHUNKER_VERSION });
  }

  /** The open tables of a generation. Throws where they cannot be opened. */
  tables({ generation, marker }: GenerationRow): Promise<IndexTables> {
    if (this.#open?.marker === marker) return this.#open.tables;
    void this.close(); // readers of the former generation end first
    const tables = IndexTables.open(this.#folder(generation), marker);
    this.#open = { marker, tables };
    tables.catch(() => {
      if (this.#open?.tables === tables) this.#open = undefined;
    });
    return tables;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.tables.then((tables) => tables.close()).catch(() => undefined);
  }

  async #makeFirst(): Promise<GenerationRow> {
    const made = await this.#make(1, 0);
    await this.#database.sql('search_index').insert(made).onConflict('id').ignore();
    return (await this.read()) ?? made;
  }

  /** A folder that holds tables belongs to another database or to a crashed attempt: it is skipped. */
  async #make(from: number, heldMs: number): Promise<GenerationRow> {
    let generation = from;
    while (!(await IndexTables.isFree(this.#folder(generation)))) generation++;
    const marker = randomUUID();
    await IndexTables.create(this.#folder(generation), marker);
    const created_at = this.#clock.now().toISOString();
    const held_until = this.#after(heldMs);
    return { id: 'index', generation, marker, chunker_version: CHUNKER_VERSION, held_until, created_at };
  }

  #row() {
    return this.#database.sql<GenerationRow>('search_index').where({ id: 'index' });
  }

  #after(ms: number): string {
    return ms === 0 ? '' : new Date(this.#clock.now().getTime() + ms).toISOString();
  }

  #folder(generation: number): string {
    const name = `g${String(generation)}`;
    return this.#uri.includes('://') ? `${this.#uri.replace(/\/+$/u, '')}/${name}` : join(this.#uri, name);
  }
}
