import type { Database, Sql } from '@service-mcp/core';
import { LRUCache } from 'lru-cache';
import { MAX_BITS } from './segment.js';

/** A part of the trigram index of a workspace; it never changes. */
export interface Segment {
  readonly id: number;
  readonly documents: number;
  readonly bits: number;
  readonly bytes: number;
}

interface SegmentRow extends Segment {
  readonly workspace_id: string;
  /** JSON: the ids of the documents, in order of their ordinals. */
  readonly document_ids: string;
  /** RFC 3339: when it can be deleted, as it is half made or merged into another; empty while it is in use. */
  readonly expires_at: string;
}

/** Rows of postings have the id `segment * ROWS + row`, so that one integer finds each on both engines. */
const ROWS = 2 ** MAX_BITS;
const ROWS_PER_STATEMENT = 500;
const MAX_CACHED_IDS = 200_000;
/** A writer that needs longer than this for a segment has crashed. */
const WRITE_TIMEOUT_MS = 10 * 60_000;
/** Readers of a merged segment are done within this. */
const READ_TIMEOUT_MS = 60_000;

/** The id of a row of postings. */
export function keyOf({ id }: Pick<Segment, 'id'>, row: number): number {
  return id * ROWS + row;
}

/** The segments of all workspaces in SQL. */
export function createSegmentStore(database: Database) {
  /** Document ids by segment. */
  const ids = new LRUCache<number, readonly string[]>({
    maxSize: MAX_CACHED_IDS,
    sizeCalculation: (all) => all.length + 1,
  });
  const segments = (sql: Sql = database.sql) => sql<SegmentRow>('search_segments');
  const after = (ms: number) => new Date(Date.now() + ms).toISOString();

  return {
    /** The segments of a workspace in use. */
    list(workspace_id: string): Promise<Segment[]> {
      return segments()
        .where({ workspace_id, expires_at: '' })
        .orderBy('id')
        .select('id', 'documents', 'bits', 'bytes');
    },

    async documentIds({ id }: Segment): Promise<readonly string[]> {
      const known = ids.get(id);
      if (known) return known;
      const row = await segments().where({ id }).first('document_ids');
      const found = JSON.parse(row?.document_ids ?? '[]') as string[]; // as `write` made it
      ids.set(id, found);
      return found;
    },

    /** Rows of postings by {@link keyOf}; rows without postings are absent. */
    async rows(wanted: ReadonlyArray<readonly [Segment, number]>): Promise<Map<number, Buffer>> {
      const found = new Map<number, Buffer>();
      const keys = wanted.map(([segment, row]) => keyOf(segment, row));
      for (let at = 0; at < keys.length; at += ROWS_PER_STATEMENT) {
        const rows: Array<{ id: number; data: Buffer | ArrayBuffer }> = await database
          .sql('search_postings')
          .whereIn('id', keys.slice(at, at + ROWS_PER_STATEMENT))
          .select('id', 'data');
        for (const { id, data } of rows)
          found.set(id, data instanceof ArrayBuffer ? Buffer.from(data) : data); // libsql, pg
      }
      return found;
    },

    /**
     * Writes a segment in small transactions and puts it in use with the last, in place of the segments that were merged
     * into it. These stay readable for a minute.
     */
    async write(
      workspace_id: string,
      { documents, bits }: { readonly documents: readonly string[]; readonly bits: number },
      rows: AsyncIterable<ReadonlyMap<number, Buffer>> | Iterable<ReadonlyMap<number, Buffer>>,
      merged: readonly Segment[] = [],
    ): Promise<void> {
      const row = { workspace_id, documents: documents.length, bits, bytes: 0 };
      const document_ids = JSON.stringify(documents);
      const [made] = await segments()
        .insert({ ...row, document_ids, expires_at: after(WRITE_TIMEOUT_MS) })
        .returning('id');
      const id = made?.id ?? 0; // an insert returns its row
      let bytes = 0;
      for await (const some of rows) {
        const data = [...some].map(([number, content]) => ({ id: keyOf({ id }, number), data: content }));
        for (const one of data) bytes += one.data.length;
        for (let at = 0; at < data.length; at += ROWS_PER_STATEMENT)
          await database.sql('search_postings').insert(data.slice(at, at + ROWS_PER_STATEMENT));
      }
      await database.transaction(async (sql) => {
        const updated = await segments(sql).where({ id }).update({ expires_at: '', bytes });
        if (updated === 0) await drop(sql, [{ id }]); // the workspace was deleted meanwhile
        const old = merged.map((segment) => segment.id);
        await segments(sql)
          .whereIn('id', old)
          .update({ expires_at: after(READ_TIMEOUT_MS) });
      });
    },

    /** Deletes segments of a workspace that are half made or were merged. */
    async sweep(workspace_id: string): Promise<void> {
      const expired = await segments()
        .where({ workspace_id })
        .whereNot({ expires_at: '' })
        .where('expires_at', '<', after(0))
        .select('id');
      for (const one of expired) await database.transaction((sql) => drop(sql, [one]));
    },

    /** When the next segment of a workspace can be deleted; empty where none waits. */
    async nextExpiry(workspace_id: string): Promise<string> {
      const waiting = segments().where({ workspace_id }).whereNot({ expires_at: '' });
      return (await waiting.orderBy('expires_at').first('expires_at'))?.expires_at ?? '';
    },
  };
}
export type SegmentStore = ReturnType<typeof createSegmentStore>;

async function drop(sql: Sql, some: ReadonlyArray<Pick<Segment, 'id'>>): Promise<void> {
  for (const segment of some)
    await sql('search_postings')
      .whereBetween('id', [keyOf(segment, 0), keyOf(segment, ROWS - 1)])
      .delete();
  const ids = some.map(({ id }) => id);
  await sql('search_segments').whereIn('id', ids).delete();
}

/** Deletes the segments of a workspace. */
export async function eraseSegments(sql: Sql, workspace_id: string): Promise<void> {
  await drop(sql, await sql<SegmentRow>('search_segments').where({ workspace_id }).select('id'));
}
