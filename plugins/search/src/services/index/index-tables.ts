import { join } from 'node:path';
import type { Schema } from 'apache-arrow';
import PQueue from 'p-queue';
import { rowsOf, vectorsToArrow, type VectorTable } from './arrow-batch.js';
import { among, inFilters, literal } from './filter.js';
import { connect } from './connect.js';
import { isHalfMade, withRetry, type Connection, type Index, type Table } from './lance.js';
import { add, erase, put, swap } from './table-writes.js';
import { halveFormerVectors, packFormerPlaces } from './former-columns.js';
import { INDEXES } from './table-indexes.js';
import { eraseVectors } from './vector-index.js';
import {
  chunksSchema,
  DIMENSIONS,
  documentsSchema,
  markerSchema,
  vectorsSchema,
  type VectorRow,
} from './tables.js';

/** Everything the index holds of some documents, as Arrow tables (see `toArrow`). */
export interface IndexBatch {
  readonly documentIds: readonly string[];
  readonly documents: Uint8Array;
  readonly chunks: Uint8Array;
  readonly vectors: readonly VectorTable[];
}

/** A folder that holds the index of another database, or of another time. */
export class UnmarkedIndex extends Error {}

/**
 * The tables of one generation of the index of a workspace. Writes run one at a time. A document's row in `documents` is written before its
 * chunks and vectors and deleted after them, so rows of a document exist only where its document row does: a
 * document without one can be added without a look-up, and an interrupted write is replaced by the next.
 */
export class IndexTables {
  readonly documents: Table;
  readonly chunks: Table;
  /** A condition on every read where the tables hold rows of other workspaces too. */
  readonly scope: string | undefined;
  readonly #uri: string;
  readonly #connection: Connection;
  readonly #vectors = new Map<number, Table>();
  readonly #writes = new PQueue({ concurrency: 1 });

  private constructor(
    uri: string,
    connection: Connection,
    tables: { readonly documents: Table; readonly chunks: Table },
    scope: string | undefined,
  ) {
    this.#uri = uri;
    this.#connection = connection;
    this.documents = tables.documents;
    this.chunks = tables.chunks;
    this.scope = scope;
  }

  /**
   * Makes the tables of a new generation, its marker last: a half-made generation of a crashed process is never used.
   * The vectors of the embedded default are among them, so that their loss is detected.
   */
  static async create(uri: string, marker: string): Promise<void> {
    await connected(uri, async (connection) => {
      await make(connection, 'documents', documentsSchema(), INDEXES.documents);
      await make(connection, 'chunks', chunksSchema(), INDEXES.chunks);
      await make(connection, vectorTable(DIMENSIONS), vectorsSchema(DIMENSIONS), INDEXES.vectors);
    });
    await IndexTables.mark(uri, marker);
  }

  /** Puts a marker into a folder without an index. */
  static async mark(uri: string, marker: string): Promise<void> {
    await connected(uri, async (connection) => {
      const table = await make(connection, 'marker', markerSchema(), INDEXES.marker);
      await table.add([{ id: marker, built: true }]);
    });
  }

  /** True where the folder holds no table yet. */
  static async isFree(uri: string): Promise<boolean> {
    const names = await connected(uri, (connection) => connection.tableNames({ limit: 1 }));
    return names.length === 0;
  }

  /** False where the folder has another marker; throws where it has none. */
  static async isMarked(uri: string, marker: string): Promise<boolean> {
    return connected(uri, (connection) => hasMarker(connection, marker));
  }

  /** Removes every table of a folder. */
  static async empty(uri: string): Promise<void> {
    await connected(uri, (connection) => connection.dropAllTables());
  }

  /**
   * Opens a generation; throws where a table or the marker is missing. `sharedBy`: the workspace whose rows are read,
   * of an index that several share.
   */
  static async open(uri: string, marker: string, sharedBy?: string): Promise<IndexTables> {
    const connection = await connect(uri);
    if (!(await hasMarker(connection, marker)))
      throw new UnmarkedIndex('the index folder does not carry the marker of this database');
    const documents = await connection.openTable('documents');
    const columns = (await documents.schema()).fields.map(({ name }) => name);
    // An index of before holds the texts too; SQL alone does now.
    if (columns.includes('text')) await withRetry(() => documents.dropColumns(['text']));
    const chunks = await connection.openTable('chunks');
    await packFormerPlaces(chunks);
    const scope = sharedBy === undefined ? undefined : `workspace_id = ${literal(sharedBy)}`;
    const tables = new IndexTables(uri, connection, { documents, chunks }, scope);
    const vectors = await connection.openTable(vectorTable(DIMENSIONS));
    await halveFormerVectors(vectors, DIMENSIONS);
    tables.#vectors.set(DIMENSIONS, vectors);
    await tables.#openVectors();
    return tables;
  }

  /** The table of vectors of that many dimensions; undefined where none was ever written. */
  async vectors(dimensions: number): Promise<Table | undefined> {
    const known = this.#vectors.get(dimensions);
    if (known) return known;
    const name = vectorTable(dimensions);
    if (!(await this.#connection.tableNames()).includes(name)) return undefined;
    const opened = await this.#connection.openTable(name).catch((error: unknown) => {
      if (isHalfMade(error)) return undefined; // its process crashed: the next write creates it
      throw error;
    });
    if (!opened) return undefined;
    await halveFormerVectors(opened, dimensions);
    this.#vectors.set(dimensions, opened);
    return opened;
  }

  /** The folder of a table; undefined where it is not on a disk of this machine. */
  folderOf({ name }: Table): string | undefined {
    return this.#uri.includes('://') ? undefined : join(this.#uri, `${name}.lance`);
  }

  get vectorTables(): ReadonlyMap<number, Table> {
    return this.#vectors;
  }

  /** Inserts or replaces documents, each in one batch; afterwards they have exactly these rows. */
  replace(...batches: readonly IndexBatch[]): Promise<void> {
    const ids = batches.flatMap(({ documentIds }) => documentIds);
    if (ids.length === 0) return Promise.resolve();
    return this.#writes.add(async () => {
      const present = await this.#present(ids);
      const partsOf = (kind: 'documents' | 'chunks') => batches.map((batch) => batch[kind]);
      await put(this.documents, partsOf('documents'));
      const write = (table: Table, rows: readonly Uint8Array[]) =>
        present.size === 0 ? add(table, rows) : swap(table, rows, among('doc_id', present));
      await write(this.chunks, partsOf('chunks'));
      if (present.size > 0) await this.#openVectors();
      const vectors = batches.flatMap((batch) => batch.vectors);
      for (const width of new Set(vectors.map(({ dimensions }) => dimensions))) await this.#vectorsFor(width);
      for (const [width, table] of this.#vectors) await write(table, rowsOf(vectors, width));
    });
  }

  /** Deletes every row of these documents. */
  remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return this.#writes.add(async () => {
      await this.#openVectors();
      for (const some of inFilters(ids)) {
        for (const table of [...this.#vectors.values(), this.chunks])
          await erase(table, among('doc_id', some));
        await erase(this.documents, among('id', some));
      }
    });
  }

  /** Takes every row out that meets a condition on the columns of all tables. */
  dropWhere(where: string): Promise<void> {
    return this.#writes.add(async () => {
      await this.#openVectors();
      for (const table of this.#all()) await erase(table, where);
    });
  }

  /** Writes the vectors of whole documents in one space; vectors of theirs in other spaces stay. */
  putVectors(spaceId: string, documentIds: readonly string[], rows: readonly VectorRow[]): Promise<void> {
    return this.#writes.add(async () => {
      for (const { dimensions, rows: some } of vectorsToArrow(rows)) {
        const where = `space_id = ${literal(spaceId)} AND ${among('doc_id', documentIds)}`;
        await swap(await this.#vectorsFor(dimensions), [some], where);
      }
    });
  }

  /** Deletes every vector of a space. */
  dropSpace(spaceId: string): Promise<void> {
    const where = `space_id = ${literal(spaceId)}`;
    return this.#writes.add(async () => {
      await this.#openVectors();
      for (const table of this.#vectors.values()) await eraseVectors(table, where);
    });
  }

  /** Rows of each kind. The tables store these: nothing is scanned. */
  async counts(): Promise<Record<'documents' | 'chunks' | 'vectors', number>> {
    let vectors = 0;
    for (const table of this.#vectors.values()) vectors += await table.countRows();
    return { documents: await this.documents.countRows(), chunks: await this.chunks.countRows(), vectors };
  }

  /** The version of each table, by name: every write makes a later one. */
  async versions(): Promise<Record<string, number>> {
    const versions = this.#all().map(async (table) => [table.name, await table.version()] as const);
    return Object.fromEntries(await Promise.all(versions));
  }

  /** Runs maintenance between writes. */
  exclusively(work: () => Promise<void>): Promise<void> {
    return this.#writes.add(work);
  }

  async close(): Promise<void> {
    await this.#writes.onIdle();
    for (const table of this.#all()) table.close();
    this.#connection.close();
  }

  /** Opens the tables of vectors that other processes have made since. */
  async #openVectors(): Promise<void> {
    for (const name of await this.#connection.tableNames()) {
      const dimensions = /^vectors_(\d+)$/u.exec(name)?.[1];
      if (dimensions !== undefined) await this.vectors(Number(dimensions));
    }
  }

  /** Vectors first and documents last, the order of a deletion. */
  #all(): Table[] {
    return [...this.#vectors.values(), this.chunks, this.documents];
  }

  async #present(ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const some of inFilters(ids)) {
      const rows: { id: string }[] = await this.documents
        .query()
        .where(among('id', some))
        .select(['id'])
        .toArray();
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  async #vectorsFor(dimensions: number): Promise<Table> {
    const known = await this.vectors(dimensions);
    if (known) return known;
    const name = vectorTable(dimensions);
    const table = await make(this.#connection, name, vectorsSchema(dimensions), INDEXES.vectors);
    this.#vectors.set(dimensions, table);
    return table;
  }
}

/** Closes the connection also where `work` fails. */
async function connected<T>(uri: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(uri);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

async function hasMarker(connection: Connection, marker: string): Promise<boolean> {
  const markers = await connection.openTable('marker');
  return (await markers.countRows(`id = ${literal(marker)}`)) > 0;
}

function vectorTable(dimensions: number): string {
  return `vectors_${String(dimensions)}`;
}

type MakeIndex = typeof Index.btree;

async function make(
  connection: Connection,
  name: string,
  schema: Schema,
  indexes: Readonly<Record<string, MakeIndex>>,
): Promise<Table> {
  const table = await connection.createEmptyTable(name, schema, { existOk: true });
  const made = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
  for (const [column, makeIndex] of Object.entries(indexes)) {
    if (!made.has(column)) await withRetry(() => table.createIndex(column, { config: makeIndex() }));
  }
  return table;
}
