import type { Log } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import type { DocumentOutcome, IndexDocument } from '../contract.js';
import type { WritingEmbedders } from './embedding/spaces.js';
import type { IndexBatch } from './index/index-tables.js';
import type { PassageRow } from './index/rows.js';
import type { PreparationThreads } from './preparation/preparation-threads.js';
import type { PreparedInThread } from './preparation/prepare-documents.js';
import type { ThreadSpace } from './preparation/thread-embedders.js';

type PassEmbedders = Pick<WritingEmbedders, 'embedded' | 'provided'>;

export interface PrepareParts {
  readonly syntax: Pick<Syntax, 'limits'>;
  readonly spaces: { writing(workspaceId: string): Promise<PassEmbedders> };
  readonly threads: PreparationThreads;
  readonly log: Log;
}

/** Rows ready to be written, and the passages that providers embed: none where there is no provider. */
export interface PreparedBatch extends IndexBatch {
  readonly passages: readonly PassageRow[];
}

/** Documents of one workspace, ready to be written. */
export interface Prepared {
  readonly batches: readonly PreparedBatch[];
  readonly removed: readonly IndexDocument[];
  /** The outcome of each document once its rows are written. */
  readonly outcomes: readonly DocumentOutcome[];
}

const FAILED = 'The text could not be parsed, cut or embedded; the log of the service has the cause.';

/**
 * Parses, cuts, analyses and embeds documents of one workspace, in one pass each in one thread. A failure affects its
 * document alone: documents of a thread that crashed or hung are tried again one by one. Throws when `signal` aborts and after the
 * thread was closed.
 */
export async function prepare(
  documents: readonly IndexDocument[],
  parts: PrepareParts,
  signal: AbortSignal,
): Promise<Prepared> {
  const latest = [...new Map(documents.map((document) => [document.id, document])).values()];
  const removed = latest.filter((document) => document.removed);
  const outcomes: DocumentOutcome[] = removed.map(({ id, revision }) => indexed(id, revision, 0));
  const batches: PreparedBatch[] = [];
  const fail = ({ id, revision }: IndexDocument, error: unknown): void => {
    parts.log.warn({ err: error, document: id }, 'a document could not be indexed');
    outcomes.push({ id, revision, status: 'failed', error: FAILED });
  };
  const [any] = latest;
  const none: PassEmbedders = { embedded: [], provided: [] };
  const embedders = any ? await parts.spaces.writing(any.workspaceId) : none;
  const waiting = [latest.filter((document) => !document.removed)];
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const [first] = group;
    if (!first) continue;
    try {
      const made = await runInThread(group, embedders, parts, signal);
      const { chunkCounts, ...tables } = made;
      batches.push({ ...tables, documentIds: [...chunkCounts.keys()] });
      for (const document of group.slice(0, made.prepared)) {
        const { id, revision } = document;
        const chunks = chunkCounts.get(id);
        if (chunks === undefined) fail(document, made.failures.get(id));
        else outcomes.push(indexed(id, revision, chunks));
      }
      waiting.unshift(group.slice(made.prepared));
    } catch (error) {
      signal.throwIfAborted();
      if (parts.threads.closed) throw error;
      if (group.length === 1) fail(first, error);
      else waiting.unshift(...group.map((document) => [document]));
    }
  }
  return { batches, removed, outcomes };
}

function indexed(id: string, revision: number, chunks: number): DocumentOutcome {
  return { id, revision, status: 'indexed', chunks };
}

async function runInThread(
  documents: readonly IndexDocument[],
  { embedded: own, provided }: PassEmbedders,
  { syntax, threads }: PrepareParts,
  signal: AbortSignal,
): Promise<PreparedInThread> {
  const passages = provided.length > 0;
  const spaces = own.map(({ spaceId, dimensions }): ThreadSpace => ({ spaceId, dimensions }));
  const task = { documents, limits: syntax.limits, spaces, passages };
  const result = await threads.run(task, signal);
  if (!('missing' in result)) return result;
  const models = await Promise.all(own.map(async ({ packedModel }) => (await packedModel?.()) ?? 'hashed'));
  const withModels = spaces.map((space, i) => ({ ...space, model: models[i] ?? 'hashed' }));
  const again = await threads.run({ ...task, spaces: withModels }, signal);
  if ('missing' in again) throw new Error('the thread misses a model that it was given');
  return again;
}
