import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Database, Sql } from '@service-mcp/core';
import { LRUCache } from 'lru-cache';
import { CHUNKER_VERSION } from '../chunking/chunk.js';
import { isOutage } from '../outage.js';
import { IndexTables } from './index-tables.js';

/** The index of one workspace in SQL: its generation, and the marker that its folder carries. */
interface IndexRow {
  readonly workspace_id: string;
  readonly generation: number;
  readonly marker: string;
  /** 0 while it is filled beside the shared index, which answers until then. */
  readonly serving: number;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Of the tables after the last write, by name, as JSON; empty before one. */
  readonly versions: string;
  /** See upkeep.ts and space-store.ts. */
  readonly writes: number;
  readonly written_rows: number;
  readonly written_at: string;
  readonly clean_at: string;
  readonly train_after: string;
  readonly created_at: string;
}

type PlaceRow = Pick<IndexRow, 'workspace_id' | 'generation' | 'marker' | 'serving'>;
/** For each search. */
const FIND = 'select workspace_id, generation, marker, serving from search_indexes where workspace_id = ?';

/** The one row of all indexes together. */
interface StateRow {
  readonly id: 'index';
  /** Of the index that all workspaces shared before each had its own; 0 where none is left. */
  readonly generation: number;
  readonly marker: string;
  readonly chunker_version: string;
  /** Not used any more. */
  readonly held_until: string;
  readonly created_at: string;
  /** See index-home.ts; empty before the first index is made. */
  readonly home: string;
  readonly address: string;
}

/** One generation of the index of a workspace. */
export interface Place {
  readonly workspaceId: string;
  readonly generation: number;
  readonly marker: string;
  readonly folder: string;
  /** True where the tables hold rows of other workspaces too. */
  readonly shared: boolean;
}

/** Indexes open at once: each takes about 0.3 MB and a file descriptor, and a cold one costs a query 4 ms. */
const MAX_OPEN = 256;
/** Reads of an index that was closed for another one end within this. */
/** Indexes that are looked at to find out whether this is their place. */
const SAMPLE = 5;
const CLOSE_AFTER_MS = 60_000;

interface Opened {
  readonly marker: string;
  readonly tables: Promise<IndexTables>;
}

/**
 * The indexes of the workspaces, each in a folder of its own (`w/<workspace>/g<generation>` of `uri`: a folder, or an
 * object store), and their generations. SQL names the one in use, so that every process follows a rebuild at its next
 * query. Open tables are kept in an LRU.
 */
export function createGenerations(database: Database, clock: Clock, uri: string) {
  const isRemote = /^[a-z][a-z0-9+]+:\/\//iu.test(uri);
  const closing = new Set<Promise<void>>();
  const open = new LRUCache<string, Opened>({
    max: MAX_OPEN,
    dispose: ({ tables }) => void setTimeout(() => void close(tables), CLOSE_AFTER_MS).unref(),
  });
  const making = new Map<string, Promise<Place>>();

  const rows = (sql: Sql = database.sql) => sql<IndexRow>('search_indexes');
  const states = () => database.sql<StateRow>('search_index').where({ id: 'index' });
  const rowOf = database.prepare<PlaceRow>('search_index_of_workspace', FIND);
  const now = () => clock.now().toISOString();
  const under = (...names: string[]) =>
    isRemote ? [uri.replace(/(?<!\/)\/+$/u, ''), ...names].join('/') : join(uri, ...names);
  const folderOf = (workspaceId: string, generation: number) =>
    under('w', workspaceId, `g${String(generation)}`);

  const placeOf = ({ workspace_id: workspaceId, generation, marker }: PlaceRow): Place => {
    return { workspaceId, generation, marker, folder: folderOf(workspaceId, generation), shared: false };
  };

  async function state(): Promise<StateRow> {
    const known = await states().first();
    if (known) return known;
    const held = { held_until: '', created_at: now(), home: '', address: '' };
    const first = {
      id: 'index',
      generation: 0,
      marker: '',
      chunker_version: CHUNKER_VERSION,
      ...held,
    } as const;
    try {
      await database.sql('search_index').insert(first).onConflict('id').ignore();
    } catch (error) {
      if (!isOutage(error)) throw error; // a full disk can be read: what writes stores it later
    }
    return first;
  }

  /** A folder that holds tables belongs to another database or to a crashed attempt: it is skipped. */
  async function make(workspaceId: string, from: number, serving: number): Promise<IndexRow> {
    let generation = from;
    while (!(await IndexTables.isFree(folderOf(workspaceId, generation)))) generation++;
    const marker = randomUUID();
    const folder = folderOf(workspaceId, generation);
    try {
      await IndexTables.create(folder, marker);
    } catch (error) {
      await removeFolder(folder, folder).catch(() => undefined); // `error` says what is wrong with the place
      throw error;
    }
    const counts = { documents: 0, chunks: 0, vectors: 0, versions: '', writes: 0, written_rows: 0 };
    const times = { written_at: '', clean_at: '', train_after: '', created_at: now() };
    return { workspace_id: workspaceId, generation, marker, serving, ...counts, ...times };
  }

  async function makeFirst(workspaceId: string): Promise<Place> {
    const { generation } = await state();
    const made = await make(workspaceId, generation + 1, generation === 0 ? 1 : 0);
    await rows().insert(made).onConflict('workspace_id').ignore();
    return placeOf((await rowOf(workspaceId)) ?? made);
  }

  async function close(tables: Promise<IndexTables>): Promise<void> {
    const closed = tables.then((opened) => opened.close()).catch(() => undefined);
    closing.add(closed);
    await closed;
    closing.delete(closed);
  }

  async function removeFolder(folder: string, tablesIn: string): Promise<void> {
    if (isRemote) await IndexTables.empty(tablesIn);
    else await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  return {
    state,

    /** The folder that carries the id of the place of all indexes. */
    homeFolder: under('home'),

    /** False where there are indexes, and none of the first ones is in this place. */
    async isHere(): Promise<boolean> {
      const { generation } = await state();
      const some = await rows().where({ serving: 1 }).orderBy('workspace_id').limit(SAMPLE);
      if (generation > 0 || some.length === 0) return true;
      for (const { folder, marker } of some.map(placeOf))
        if (await IndexTables.isMarked(folder, marker).catch(() => false)) return true;
      return false;
    },

    /** The generation that answers the queries of a workspace; undefined where nothing of it was ever indexed. */
    async serving(workspaceId: string): Promise<Place | undefined> {
      const own = await rowOf(workspaceId);
      if (own?.serving === 1) return placeOf(own);
      const { generation, marker } = await state();
      if (generation === 0) return own && placeOf(own);
      return { workspaceId, generation, marker, folder: under(`g${String(generation)}`), shared: true };
    },

    /** The generation that documents of a workspace are written to; creates the first one. */
    async writing(workspaceId: string): Promise<Place> {
      const own = await rowOf(workspaceId);
      if (own) return placeOf(own);
      const known = making.get(workspaceId) ?? makeFirst(workspaceId);
      making.set(workspaceId, known);
      return known.finally(() => making.delete(workspaceId));
    },

    /** Workspaces that have an index, in order of id. */
    async workspaces(): Promise<string[]> {
      const found = await rows().orderBy('workspace_id').select('workspace_id');
      return found.map(({ workspace_id }) => workspace_id);
    },

    /** The generations that answer, of all workspaces with an index of their own. */
    async places(): Promise<Place[]> {
      return (await rows().where({ serving: 1 }).orderBy('workspace_id')).map(placeOf);
    },

    /** The versions that the tables of a generation had after the last write, by name: they have these or later ones. */
    async versions({ workspaceId, marker }: Place): Promise<Readonly<Record<string, number>>> {
      const row = await rows().where({ workspace_id: workspaceId, marker }).first('versions');
      return JSON.parse(row?.versions || '{}') as Record<string, number>; // as upkeep.ts wrote it
    },

    /** Whether the tables of a generation are open in this process. */
    isOpen: ({ workspaceId, marker }: Place) => open.peek(workspaceId)?.marker === marker,

    /** Makes an empty generation and puts it in use. Readers follow at their next query. */
    async raise(workspaceId: string): Promise<Place> {
      const before = await rowOf(workspaceId);
      const made = await make(workspaceId, (before?.generation ?? (await state()).generation) + 1, 1);
      await rows().insert(made).onConflict('workspace_id').merge();
      return placeOf(made);
    },

    /** Removes a generation that is no longer in use. */
    async discard({ folder, shared }: Place): Promise<void> {
      if (!shared) await removeFolder(folder, folder);
    },

    /** Removes the index of a deleted workspace, whose last generation was this. */
    async remove(workspaceId: string, generation: number): Promise<void> {
      open.delete(workspaceId);
      await rows().where({ workspace_id: workspaceId }).delete();
      await removeFolder(under('w', workspaceId), folderOf(workspaceId, generation));
    },

    /** Every document is in the index of its own workspace: the shared one is removed. */
    async endSharing({ generation }: StateRow): Promise<void> {
      await database.transaction(async (sql) => {
        await rows(sql).update({ serving: 1 });
        await sql('search_index').where({ id: 'index' }).update({ generation: 0, marker: '' });
      });
      const folder = under(`g${String(generation)}`);
      await removeFolder(folder, folder);
    },

    /** Rows of all indexes, as last noted. */
    async counts(): Promise<Record<'documents' | 'chunks' | 'vectors', number>> {
      const columns = ['documents', 'chunks', 'vectors'] as const;
      const [found = {}]: Array<Record<string, number | null>> = await rows().sum(
        Object.fromEntries(columns.map((column) => [column, column])),
      );
      return {
        documents: found['documents'] ?? 0,
        chunks: found['chunks'] ?? 0,
        vectors: found['vectors'] ?? 0,
      };
    },

    /** Every document was indexed by this chunker, or is pending. */
    async recordChunker(): Promise<void> {
      await states().update({ chunker_version: CHUNKER_VERSION });
    },

    /** The open tables of a generation. Throws where they cannot be opened. */
    tables({ workspaceId, folder, marker, shared }: Place): Promise<IndexTables> {
      const key = shared ? `${workspaceId} shared` : workspaceId;
      const known = open.get(key);
      if (known?.marker === marker) return known.tables;
      const tables = IndexTables.open(folder, marker, shared ? workspaceId : undefined);
      open.set(key, { marker, tables });
      tables.catch(() => {
        if (open.peek(key)?.tables === tables) open.delete(key);
      });
      return tables;
    },

    async close(): Promise<void> {
      const all = [...open.values()];
      open.clear();
      await Promise.all([...all.map(({ tables }) => close(tables)), ...closing]);
    },
  };
}
export type Generations = ReturnType<typeof createGenerations>;

/** The generation of a workspace's index, forgotten in the transaction that deletes the workspace. */
export async function forgetIndex(sql: Sql, workspace_id: string): Promise<number> {
  const row = await sql<IndexRow>('search_indexes').where({ workspace_id }).first('generation');
  await sql<IndexRow>('search_indexes').where({ workspace_id }).delete();
  return row?.generation ?? 0;
}
