import type { Field, Schema } from 'apache-arrow';
import { arrow } from './arrow.js';

/** On the id of a table: concurrent merges of one new key then conflict instead of both inserting. */
const PRIMARY_KEY = new Map([['lance-schema:unenforced-primary-key', 'true']]);

function text(name: string, metadata?: Map<string, string>): Field {
  const { Field, Utf8 } = arrow();
  return new Field(name, new Utf8(), false, metadata);
}
/** A long text: compressed together with its neighbours, to two thirds of its bytes (ADR 81). */
const COMPRESSED = new Map([
  ['lance-encoding:compression', 'lz4'],
  ['lance-encoding:structural-encoding', 'miniblock'],
]);
const longText = (name: string) => text(name, COMPRESSED);
const id = () => text('id', PRIMARY_KEY);

/** Dimensions of both embedded spaces, the untrained and the trained, so that they share a table. */
export const DIMENSIONS = 160;

/** The columns for filters; every table has them, so that each retriever filters before it ranks. */
export const FILTER_COLUMNS = ['project_id', 'kind', 'path', 'lang', 'tags', 'updated_at'] as const;

export type FilterRow = Readonly<Record<(typeof FILTER_COLUMNS)[number], string>>;

const DOCUMENT_TEXTS = ['title', 'sha256'] as const;
const CHUNK_TEXTS = ['title', 'stops'] as const;
/** `place`: see place.ts. */
const CHUNK_LONG_TEXTS = ['place', 'text', 'terms'] as const;

type Columns<Name extends string, Value> = Readonly<Record<Name, Value>>;

/** A document of the index; its source has the text. */
export type DocumentRow = FilterRow & Columns<'id' | (typeof DOCUMENT_TEXTS)[number], string>;

export type ChunkRow = FilterRow &
  Columns<'id' | 'doc_id' | (typeof CHUNK_TEXTS)[number] | (typeof CHUNK_LONG_TEXTS)[number], string>;

/** The columns of a chunk that a search result shows. */
export const PAGE_COLUMNS = [
  'id',
  'doc_id',
  'lang',
  'title',
  'text',
  'place',
] as const satisfies readonly (keyof ChunkRow)[];
export type PageRow = Pick<ChunkRow, (typeof PAGE_COLUMNS)[number]>;

export type VectorRow = FilterRow &
  Columns<'id' | 'chunk_id' | 'doc_id' | 'space_id', string> &
  Columns<'vector', Float32Array>;

const texts = (names: readonly string[]) => names.map((name) => text(name));

export function documentsSchema(): Schema {
  return new (arrow().Schema)([id(), ...texts(FILTER_COLUMNS), ...texts(DOCUMENT_TEXTS)]);
}

export function chunksSchema(): Schema {
  return new (arrow().Schema)([
    id(),
    text('doc_id'),
    ...texts(FILTER_COLUMNS),
    ...texts(CHUNK_TEXTS),
    ...CHUNK_LONG_TEXTS.map(longText),
  ]);
}

/** Vectors of 16-bit floats, half the bytes: as a part of 1 they are exact to 0.0005, far below what ranks neighbours. */
export function vectorsSchema(dimensions: number): Schema {
  const { Field, FixedSizeList, Float16, Schema } = arrow();
  const item = new Field('item', new Float16(), true);
  return new Schema([
    id(),
    text('chunk_id'),
    text('doc_id'),
    ...texts(FILTER_COLUMNS),
    text('space_id'),
    new Field('vector', new FixedSizeList(dimensions, item), false),
  ]);
}

/** Proves that a folder is the one that SQL names. */
export function markerSchema(): Schema {
  const { Bool, Field, Schema } = arrow();
  return new Schema([id(), new Field('built', new Bool(), false)]);
}
