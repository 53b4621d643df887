import { Bool, Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from 'apache-arrow';
import { lancedb } from './lance.js';

/** On the id of a table: concurrent merges of one new key then conflict instead of both inserting. */
const PRIMARY_KEY = new Map([['lance-schema:unenforced-primary-key', 'true']]);

const text = (name: string) => new Field(name, new Utf8(), false);
const int = (name: string) => new Field(name, new Int32(), false);
const id = () => new Field('id', new Utf8(), false, PRIMARY_KEY);

/** Dimensions of both embedded spaces, the untrained and the trained, so that they share a table. */
export const DIMENSIONS = 160;

/** The columns for filters; every table has them, so that each retriever filters before it ranks. */
export const FILTER_COLUMNS = [
  'workspace_id',
  'project_id',
  'kind',
  'path',
  'lang',
  'tags',
  'updated_at',
] as const;

export type FilterRow = Readonly<Record<(typeof FILTER_COLUMNS)[number], string>>;

/** A whole document: patterns are matched against it, so that no match is cut. */
export interface DocumentRow extends FilterRow {
  readonly id: string;
  readonly title: string;
  readonly sha256: string;
  readonly text: string;
}

export interface ChunkRow extends FilterRow {
  readonly id: string;
  readonly doc_id: string;
  readonly sha256: string;
  readonly start: number;
  readonly end: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number;
  readonly symbol: string;
  readonly title: string;
  readonly text: string;
  readonly terms: string;
  readonly stops: string;
}

export interface VectorRow extends FilterRow {
  readonly id: string;
  readonly chunk_id: string;
  readonly doc_id: string;
  readonly space_id: string;
  readonly vector: Float32Array;
}

export const documentsSchema = new Schema([
  id(),
  ...FILTER_COLUMNS.map(text),
  text('title'),
  text('sha256'),
  text('text'),
]);

export const chunksSchema = new Schema([
  id(),
  text('doc_id'),
  ...FILTER_COLUMNS.map(text),
  text('sha256'),
  ...['start', 'end', 'start_line', 'end_line', 'start_column'].map(int),
  ...['symbol', 'title', 'text', 'terms', 'stops'].map(text),
]);

export function vectorsSchema(dimensions: number): Schema {
  const item = new Field('item', new Float32(), true);
  return new Schema([
    id(),
    text('chunk_id'),
    text('doc_id'),
    ...FILTER_COLUMNS.map(text),
    text('space_id'),
    new Field('vector', new FixedSizeList(dimensions, item), false),
  ]);
}

/** Proves that a folder is the one that SQL names. */
export const markerSchema = new Schema([id(), new Field('built', new Bool(), false)]);

const { Index } = lancedb;

const btree = () => Index.btree();
const bitmap = () => Index.bitmap();
/** Terms come analysed: the index only splits at blanks. */
const termIndex = () =>
  Index.fts({
    baseTokenizer: 'whitespace',
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: 200,
  });

/** Column to index of each table; made with the table, while it is empty. A made `Index` serves once only. */
export const INDEXES = {
  documents: {
    id: btree,
    workspace_id: bitmap,
    kind: bitmap,
    lang: bitmap,
    path: btree,
  },
  chunks: {
    id: btree,
    doc_id: btree,
    workspace_id: bitmap,
    kind: bitmap,
    lang: bitmap,
    path: btree,
    terms: termIndex,
    stops: termIndex,
  },
  vectors: {
    id: btree,
    doc_id: btree,
    workspace_id: bitmap,
    space_id: bitmap,
  },
  marker: {},
} as const;
