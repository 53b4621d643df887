import type { Log } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import PQueue from 'p-queue';
import type { DocumentOutcome, Embedder, IndexDocument } from '../contract.js';
import { chunk } from './chunking/chunk.js';
import type { Spaces } from './embedding/spaces.js';
import type { DocumentRows } from './index/index-tables.js';
import { chunkRows, documentRow, vectorRows } from './index/rows.js';

export interface PrepareParts {
  readonly syntax: Syntax;
  readonly spaces: Spaces;
  readonly log: Log;
}

/** A batch ready to be written. */
export interface Prepared {
  readonly rows: readonly DocumentRows[];
  readonly removed: readonly IndexDocument[];
  /** The outcome of each document once its rows are written. */
  readonly outcomes: readonly DocumentOutcome[];
}

/** Documents prepared concurrently: one is parsed in its thread while another is analysed in this one. */
const AT_ONCE = 4;
const FAILED = 'The text could not be parsed, cut or embedded; the log of the service has the cause.';

/** Parses, cuts, analyses and embeds a batch. A failure affects its document alone. Throws when `signal` aborts. */
export async function prepare(
  batch: readonly IndexDocument[],
  parts: PrepareParts,
  signal: AbortSignal,
): Promise<Prepared> {
  const embedders = new Map<string, readonly Embedder[]>();
  for (const { workspaceId } of batch) {
    if (!embedders.has(workspaceId)) embedders.set(workspaceId, await parts.spaces.writing(workspaceId));
  }
  const rows: DocumentRows[] = [];
  const outcomes: DocumentOutcome[] = [];
  const makeRows = async (document: IndexDocument): Promise<void> => {
    const { id, revision } = document;
    try {
      const made = await rowsOf(document, embedders.get(document.workspaceId) ?? [], parts.syntax, signal);
      rows.push(made);
      outcomes.push({ id, revision, status: 'indexed', chunks: made.chunks.length });
    } catch (error) {
      signal.throwIfAborted();
      parts.log.warn({ err: error, document: id }, 'a document could not be indexed');
      outcomes.push({ id, revision, status: 'failed', error: FAILED });
    }
    // Calls run between documents.
    await new Promise(setImmediate);
  };
  const removed = batch.filter((document) => document.removed);
  const living = batch.filter((document) => !document.removed);
  await new PQueue({ concurrency: AT_ONCE }).addAll(living.map((document) => () => makeRows(document)));
  for (const { id, revision } of removed) outcomes.push({ id, revision, status: 'indexed', chunks: 0 });
  return { rows, removed, outcomes };
}

async function rowsOf(
  document: IndexDocument,
  embedders: readonly Embedder[],
  syntax: Syntax,
  signal: AbortSignal,
): Promise<DocumentRows> {
  const { path, language, text } = document;
  const structure = await syntax.parse({ path, language, text }, signal);
  const chunks = chunkRows(document, chunk(text, structure));
  const vectors = [];
  for (const embedder of embedders) {
    vectors.push(...vectorRows(chunks, await embedder.embedPassages(chunks, signal), embedder));
  }
  return { document: documentRow(document), chunks, vectors };
}
