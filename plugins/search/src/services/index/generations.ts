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
 * query; each lives in a folder of its own, `g<generation>`, of `uri`: a folder, or an object store.
 */
export function createGenerations(database: Database, clock: Clock, uri: string) {
  let first: Promise<GenerationRow> | undefined;
  let open: { readonly marker: string; readonly tables: Promise<IndexTables> } | undefined;

  const row = () => database.sql<GenerationRow>('search_index').where({ id: 'index' });
  const read = async (): Promise<GenerationRow | undefined> => row().first();
  const after = (ms: number) => (ms === 0 ? '' : new Date(clock.now().getTime() + ms).toISOString());
  const folder = (generation: number) => {
    const name = `g${String(generation)}`;
    return uri.includes('://') ? `${uri.replace(/\/+$/u, '')}/${name}` : join(uri, name);
  };

  /** A folder that holds tables belongs to another database or to a crashed attempt: it is skipped. */
  async function make(from: number, heldMs: number): Promise<GenerationRow> {
    let generation = from;
    while (!(await IndexTables.isFree(folder(generation)))) generation++;
    const marker = randomUUID();
    await IndexTables.create(folder(generation), marker);
    const created_at = clock.now().toISOString();
    const held_until = after(heldMs);
    return { id: 'index', generation, marker, chunker_version: CHUNKER_VERSION, held_until, created_at };
  }

  async function makeFirst(): Promise<GenerationRow> {
    const made = await make(1, 0);
    await database.sql('search_index').insert(made).onConflict('id').ignore();
    return (await read()) ?? made;
  }

  async function close(): Promise<void> {
    const former = open;
    open = undefined;
    await former?.tables.then((tables) => tables.close()).catch(() => undefined);
  }

  return {
    read,
    close,

    /** The generation in use; creates the first one. */
    async ensure(): Promise<GenerationRow> {
      const now = await read();
      if (now) return now;
      first ??= makeFirst().finally(() => (first = undefined));
      return first;
    },

    /** Makes an empty generation and puts it in use. Readers follow at their next query. */
    async raise(heldMs: number): Promise<GenerationRow> {
      const before = await read();
      const made = await make((before?.generation ?? 0) + 1, heldMs);
      await database.sql('search_index').insert(made).onConflict('id').merge();
      return made;
    },

    /** Removes the folder of a generation that is no longer in use. Only local folders; a bucket keeps it. */
    async discard(generation: number): Promise<void> {
      if (/^[a-z][a-z0-9+]+:\/\//iu.test(uri)) return;
      await rm(folder(generation), { recursive: true, force: true, maxRetries: 3 });
    },

    /** Pauses the indexers of other processes for this long; 0 resumes them. */
    async hold(ms: number): Promise<void> {
      await row().update({ held_until: after(ms) });
    },

    /** Is a repair going on now? */
    isHeld: ({ held_until }: GenerationRow) => held_until > clock.now().toISOString(),

    /** Every document was indexed by this chunker, or is pending. */
    async recordChunker(): Promise<void> {
      await row().update({ chunker_version: CHUNKER_VERSION });
    },

    /** The open tables of a generation. Throws where they cannot be opened. */
    tables({ generation, marker }: GenerationRow): Promise<IndexTables> {
      if (open?.marker === marker) return open.tables;
      void close(); // readers of the former generation end first
      const tables = IndexTables.open(folder(generation), marker);
      open = { marker, tables };
      tables.catch(() => {
        if (open?.tables === tables) open = undefined;
      });
      return tables;
    },
  };
}
export type Generations = ReturnType<typeof createGenerations>;
