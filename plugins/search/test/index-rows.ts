import {
  chunksSchema,
  documentsSchema,
  packPlace,
  toArrow,
  vectorsToArrow,
  type ChunkRow,
  type DocumentRow,
  type IndexBatch,
  type IndexTables,
  type VectorRow,
} from '@service-mcp/plugin-search/internals';

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
      documentsSchema,
      documents.map(({ document }) => document),
    ),
    chunks: toArrow(
      chunksSchema,
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
