import {
  chunksSchema,
  documentsSchema,
  IndexTables,
  packPlace,
  toArrow,
  vectorsToArrow,
  type ChunkRow,
  type DocumentRow,
  type IndexBatch,
  type VectorRow,
} from '@service-mcp/plugin-search/internals';
import { temporaryFolder } from './harness.js';

const shared = {
  project_id: 'p',
  kind: 'code',
  path: 'a.ts',
  lang: 'typescript',
  tags: '',
  updated_at: '2026-01-01T00:00:00.000Z',
};

export const PLACE = {
  start: 0,
  end: 1,
  start_line: 1,
  end_line: 2,
  start_column: 3,
  sha256: 's',
  symbol: 'operator new',
  parts: [],
};

/** Rows of one document. */
export interface DocumentRows {
  readonly document: DocumentRow;
  readonly chunks: readonly ChunkRow[];
  readonly vectors: readonly VectorRow[];
}

/** The tables that `IndexTables.replace` takes. */
export function batch(...documents: readonly DocumentRows[]): IndexBatch {
  return {
    documentIds: documents.map(({ document }) => document.id),
    documents: toArrow(
      documentsSchema(),
      documents.map(({ document }) => document),
    ),
    chunks: toArrow(
      chunksSchema(),
      documents.flatMap(({ chunks }) => chunks),
    ),
    vectors: vectorsToArrow(documents.flatMap(({ vectors }) => vectors)),
  };
}

/** A document with a chunk and a vector for each text. */
export function rows(document: string, texts: readonly string[]): DocumentRows {
  const place = packPlace(PLACE);
  return {
    document: { id: document, ...shared, title: '', sha256: 's' },
    chunks: texts.map((text) => ({
      id: `${document}-${text}`,
      doc_id: document,
      ...shared,
      title: '',
      place,
      text,
      terms: text,
      stops: '',
    })),
    vectors: texts.map((text) => ({
      id: `space:${document}-${text}`,
      chunk_id: `${document}-${text}`,
      doc_id: document,
      ...shared,
      space_id: 'space',
      vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
    })),
  };
}

/** The rows of an index. */
export async function held(
  tables: IndexTables,
): Promise<{ documents: number; chunks: string[]; vectors: number }> {
  const found: { id: string }[] = await tables.chunks.query().select(['id']).toArray();
  return {
    documents: await tables.documents.countRows(),
    chunks: found.map(({ id }) => id).sort(),
    vectors: (await (await tables.vectors(8))?.countRows()) ?? 0,
  };
}

/** The index of a test; a test that opens it again replaces `tables`. */
export interface TestIndex {
  readonly path: string;
  tables: IndexTables;
}

/** Gives each test of a suite an index of its own. */
export function indexOfEach(): TestIndex {
  const index = {} as { path: string; tables: IndexTables }; // set before each test
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await IndexTables.create(folder.path, 'marker');
    index.path = folder.path;
    index.tables = await IndexTables.open(folder.path, 'marker');
  });
  afterEach(async () => {
    await index.tables.close();
    await folder.remove();
  });
  return index;
}
