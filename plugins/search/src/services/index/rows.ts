import { hash } from 'node:crypto';
import type { Embedder, IndexDocument } from '../../contract.js';
import { analyse, countTerms, readTerms, type TermCounts, type TextTerms } from '../analysis/analyse.js';
import { withoutEncoded } from '../analysis/encoded.js';
import { readable } from '../analysis/readable.js';
import type { Chunk } from '../chunking/chunk.js';
import { tagColumn, timeColumn } from './filter.js';
import { packPlace } from './place.js';
import { FILTER_COLUMNS, type ChunkRow, type DocumentRow, type FilterRow, type VectorRow } from './tables.js';

function filterColumns(document: IndexDocument): FilterRow {
  return {
    project_id: document.projectId ?? '',
    kind: document.kind,
    path: document.path,
    lang: document.language ?? '',
    tags: tagColumn(document.tags),
    updated_at: timeColumn(document.updatedAt),
  };
}

export function documentRow(document: IndexDocument): DocumentRow {
  const { id, title, sha256 } = document;
  return { id, ...filterColumns(document), title, sha256 };
}

/**
 * Weights of the fields of a chunk. A term of a field counts as often as the field weighs, in one bag: the simple
 * form of BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004).
 */
const FIELD_WEIGHTS = { symbol: 3, title: 2, path: 1, language: 1, tags: 2 } as const;

/** A chunk with what one reading of its text gives: its row, and the counts of the terms that are embedded. */
export interface AnalysedChunk {
  readonly row: ChunkRow;
  /** Of its title and text. */
  readonly counts: TermCounts;
}

/** What each chunk has of its document: weighted terms, and stop words. Read once for all of them. */
function sharedTerms({ path, language, tags }: IndexDocument): TextTerms {
  const ofPath = readTerms(path);
  const ofTags = readTerms(tags.join(' '));
  const terms = [
    ...weighted(ofPath.terms, FIELD_WEIGHTS.path),
    // People name the language that they ask about: in a workspace of one language the word then weighs nothing.
    ...weighted(analyse(language ?? ''), FIELD_WEIGHTS.language),
    ...weighted(ofTags.terms, FIELD_WEIGHTS.tags),
  ];
  return { terms, stops: new Set([...ofPath.stops, ...ofTags.stops]) };
}

function weighted(terms: readonly string[], weight: number): readonly string[] {
  return Array.from({ length: weight }, () => terms).flat();
}

/** The two searchable columns of a chunk (weighted terms, and its distinct stop words), and what is embedded of it. */
function analyseChunk({ text, symbols }: Chunk, title: string, language: string | null, shared: TextTerms) {
  const body = readTerms(withoutEncoded(readable(text, language)));
  const heading = readTerms(title);
  // The signature of a symbol repeats its text; a heading is its own symbol.
  const isOwn = !symbols.includes(title) && !text.includes(title);
  const terms = [
    ...body.terms,
    ...weighted(analyse(symbols.join(' ')), FIELD_WEIGHTS.symbol),
    ...(isOwn ? weighted(heading.terms, FIELD_WEIGHTS.title) : []),
    ...shared.terms,
  ];
  const stops = new Set([...body.stops, ...heading.stops, ...shared.stops]);
  const columns = { terms: terms.join(' '), stops: [...stops].join(' ') };
  return { columns, counts: countTerms(heading.terms, body.terms) };
}

/** The id of a chunk follows from its document, place and content, so that writing it again changes nothing. */
function chunkId(documentId: string, ordinal: number, text: string): string {
  return hash('sha256', JSON.stringify([documentId, ordinal, text])).slice(0, 32);
}

export function analyseChunks(document: IndexDocument, chunks: readonly Chunk[]): AnalysedChunk[] {
  const shared = { doc_id: document.id, ...filterColumns(document) };
  const terms = sharedTerms(document);
  return chunks.map((chunk, ordinal) => {
    const title = chunk.title || document.title;
    const { columns, counts } = analyseChunk(chunk, title, document.language, terms);
    const row = {
      id: chunkId(document.id, ordinal, chunk.text),
      ...shared,
      place: packPlace({
        start: chunk.start,
        end: chunk.end,
        start_line: chunk.startLine,
        end_line: chunk.endLine,
        start_column: chunk.startColumn,
        sha256: document.sha256,
        symbol: chunk.symbol ?? '',
        parts: chunk.parts,
      }),
      title,
      text: chunk.text,
      ...columns,
    };
    return { row, counts };
  });
}

/** The columns of a chunk that its vector row copies, and those that are embedded. */
export const PASSAGE_COLUMNS = ['id', 'doc_id', ...FILTER_COLUMNS, 'title', 'text'] as const;
export type PassageRow = Pick<ChunkRow, (typeof PASSAGE_COLUMNS)[number]>;

/** Rows for the chunks that have a vector. Throws where the embedder gives vectors of a wrong length or number. */
export function vectorRows(
  chunks: readonly PassageRow[],
  vectors: readonly (Float32Array | null)[],
  { spaceId, dimensions }: Pick<Embedder, 'spaceId' | 'dimensions'>,
): VectorRow[] {
  if (vectors.length !== chunks.length)
    throw new Error('the embedder gave another number of vectors than passages');
  return chunks.flatMap((chunk, i) => {
    const vector = vectors[i];
    if (!vector) return [];
    // LanceDB pads a vector of a wrong length without a word.
    if (vector.length !== dimensions) throw new Error('the embedder gave a vector of a wrong length');
    const { doc_id, project_id, kind, path, lang, tags, updated_at } = chunk;
    const columns = { doc_id, project_id, kind, path, lang, tags, updated_at };
    const id = `${spaceId}:${chunk.id}`;
    return [{ id, chunk_id: chunk.id, ...columns, space_id: spaceId, vector }];
  });
}
