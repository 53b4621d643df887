import type { ParseLimits, Structure } from '@service-mcp/plugin-syntax/contract';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { Piscina } from 'piscina';
import type { IndexDocument } from '../../contract.js';
import { chunk } from '../chunking/chunk.js';
import { toArrow, vectorsToArrow, type VectorTable } from '../index/arrow-batch.js';
import { analyseChunks, documentRow, PASSAGE_COLUMNS, vectorRows, type PassageRow } from '../index/rows.js';
import {
  chunksSchema,
  documentsSchema,
  type ChunkRow,
  type DocumentRow,
  type VectorRow,
} from '../index/tables.js';
import { embedderOf, type ThreadSpace } from './thread-embedders.js';

/** Documents of one workspace, for one pass each. Plain data, because it is posted to a thread. */
export interface PrepareTask {
  readonly documents: readonly IndexDocument[];
  readonly limits: ParseLimits;
  /** The spaces whose embedders run in the thread. */
  readonly spaces: readonly ThreadSpace[];
  /** Return the passages, for embedders that run elsewhere. */
  readonly passages: boolean;
}

/** Arrow tables of the first `prepared` documents: of all, unless the thread is spent. */
export interface PreparedInThread {
  readonly prepared: number;
  /** The thread must be replaced. */
  readonly spent: boolean;
  /** Ids of the documents whose rows are in the tables, with their numbers of chunks. */
  readonly chunkCounts: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<string, Error>;
  readonly documents: Uint8Array<ArrayBuffer>;
  readonly chunks: Uint8Array<ArrayBuffer>;
  readonly vectors: readonly VectorTable[];
  readonly passages: readonly PassageRow[];
}

/** Models that the thread lacks: the task must be posted again with them. */
export interface MissingModels {
  readonly missing: readonly string[];
}

/** The entry point of the thread. */
export async function prepareDocuments(task: PrepareTask): Promise<PreparedInThread | MissingModels> {
  const missing = task.spaces.filter((space) => !embedderOf(space)).map(({ spaceId }) => spaceId);
  if (missing.length > 0) return { missing };
  const rows: { documents: DocumentRow[]; chunks: ChunkRow[]; vectors: VectorRow[] } = {
    documents: [],
    chunks: [],
    vectors: [],
  };
  const chunkCounts = new Map<string, number>();
  const failures = new Map<string, Error>();
  let prepared = 0;
  let spent = false;
  for (const document of task.documents) {
    prepared++;
    const parsed = await structureOf(document, task.limits);
    ({ spent } = parsed);
    try {
      const chunks = analyseChunks(document, chunk(document.text, parsed.structure));
      const own = chunks.map(({ row }) => row);
      const vectors = task.spaces.flatMap((space) => {
        const embed = embedderOf(space);
        return vectorRows(
          own,
          chunks.map(({ counts }) => embed?.(counts) ?? null),
          space,
        );
      });
      rows.documents.push(documentRow(document));
      rows.chunks.push(...own);
      rows.vectors.push(...vectors);
      chunkCounts.set(document.id, own.length);
    } catch (error) {
      failures.set(document.id, error instanceof Error ? error : new Error(String(error)));
    }
    if (spent) break;
  }
  const result: PreparedInThread = {
    prepared,
    spent,
    chunkCounts,
    failures,
    documents: toArrow(documentsSchema(), rows.documents),
    chunks: toArrow(chunksSchema(), rows.chunks),
    vectors: vectorsToArrow(rows.vectors),
    passages: task.passages ? rows.chunks.map(passageOf) : [],
  };
  return transferred(result);
}

/** After a crash of the parser the text has no symbols, and the thread is spent. */
async function structureOf(
  { path, language, text }: IndexDocument,
  limits: ParseLimits,
): Promise<{ structure: Structure; spent: boolean }> {
  try {
    return await parseInThread({ path, language, text }, limits);
  } catch {
    return { structure: { language, symbols: [], complete: false }, spent: true };
  }
}

function passageOf(row: ChunkRow): PassageRow {
  // The keys are those of the type.
  return Object.fromEntries(PASSAGE_COLUMNS.map((column) => [column, row[column]])) as unknown as PassageRow;
}

/** Hands the tables over to the receiver instead of copying them. */
function transferred(result: PreparedInThread): PreparedInThread {
  const { documents, chunks, vectors } = result;
  const buffers = new Set(
    [documents, chunks, ...vectors.map(({ rows }) => rows)].map(({ buffer }) => buffer),
  );
  const movable = { [Piscina.transferableSymbol]: [...buffers], [Piscina.valueSymbol]: result };
  // Piscina posts the value, not the wrapper.
  return Piscina.move(movable as never) as unknown as PreparedInThread;
}
