import type { Log } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import type { DocumentOutcome, Embedder, IndexDocument, IndexSource } from '../contract.js';
import { chunk, CHUNKER_VERSION } from './chunking/chunk.js';
import type { Spaces } from './embedding/spaces.js';
import type { Trainer } from './embedding/trainer.js';
import type { Generations } from './index/generations.js';
import type { Health, IndexCheck } from './index/health.js';
import type { DocumentRows } from './index/index-tables.js';
import type { Maintenance } from './index/maintenance.js';
import { chunkRows, documentRow, vectorRows } from './index/rows.js';

type Healthy = Extract<Health, { healthy: true }>;

export interface IndexerParts {
  readonly sources: readonly IndexSource[];
  readonly syntax: Syntax;
  readonly check: IndexCheck;
  readonly generations: Generations;
  readonly spaces: Spaces;
  readonly trainer: Trainer;
  readonly maintenance: Maintenance;
  readonly batchDocuments: number;
  readonly batchBytes: number;
  readonly log: Log;
}

export interface Round {
  /** Documents settled, whatever the outcome. */
  readonly documents: number;
  readonly more: boolean;
}

/**
 * Brings the index to what the sources hold, one bounded round at a time: claim, parse, chunk, analyse, embed,
 * write, settle. A document that fails does so alone. A crash anywhere leaves the claim, and the next round writes
 * the same rows again. Nothing is written to an index that is not healthy: the work stays pending.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  #refused: string | undefined;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  async round(signal: AbortSignal, { repairing = false } = {}): Promise<Round> {
    const { check, sources, trainer, maintenance, log } = this.#parts;
    const index = await check.read({ fresh: repairing });
    const row = await this.#parts.generations.read();
    if (row && !repairing && this.#parts.generations.isHeld(row)) return { documents: 0, more: false };
    if (!index.healthy) {
      if (repairing) throw new Error(`the new index is not sound: ${index.reason}`);
      if (this.#refused !== index.reason)
        log.error({ reason: index.reason }, 'indexing waits for a repair of the index');
      this.#refused = index.reason;
      return { documents: 0, more: false };
    }
    this.#refused = undefined;
    await this.#followChunker(index);
    let documents = 0;
    let rows = 0;
    for (const source of sources) {
      const claimed = await source.claim(this.#parts.batchDocuments, this.#parts.batchBytes);
      if (claimed.length === 0) continue;
      documents += claimed.length;
      rows += await this.#index(source, claimed, index, signal);
    }
    await maintenance.step(index.tables, rows);
    if (documents > 0 || repairing) return { documents, more: documents > 0 };
    return { documents, more: await trainer.step(index, signal) };
  }

  /** Documents cut by another version of the chunker are made anew. */
  async #followChunker({ row }: Healthy): Promise<void> {
    if (row.chunkerVersion === CHUNKER_VERSION) return;
    for (const source of this.#parts.sources) await source.requeueAll();
    await this.#parts.generations.recordChunker(CHUNKER_VERSION);
  }

  async #index(
    source: IndexSource,
    claimed: readonly IndexDocument[],
    index: Healthy,
    signal: AbortSignal,
  ): Promise<number> {
    const outcomes: DocumentOutcome[] = [];
    const embedders = new Map<string, readonly Embedder[]>();
    for (const { workspaceId } of claimed) {
      if (!embedders.has(workspaceId))
        embedders.set(workspaceId, await this.#parts.spaces.writing(workspaceId));
    }
    const rows: DocumentRows[] = [];
    for (const document of claimed.filter(({ removed }) => !removed)) {
      const { id, revision } = document;
      try {
        const made = await this.#rows(document, embedders.get(document.workspaceId) ?? [], signal);
        rows.push(made);
        outcomes.push({ id, revision, status: 'indexed', chunks: made.chunks.length });
      } catch (error) {
        signal.throwIfAborted();
        this.#parts.log.warn({ err: error, document: id }, 'a document could not be indexed');
        const message =
          'The text could not be parsed, cut or embedded; the log of the service has the cause.';
        outcomes.push({ id, revision, status: 'failed', error: message });
      }
      // Lets calls through between documents.
      await new Promise(setImmediate);
    }
    const removed = claimed.filter((document) => document.removed);
    const failure = await this.#write(rows, removed, index);
    await this.#parts.maintenance.followWrites(index.tables, claimed.length >= this.#parts.batchDocuments);
    for (const { id, revision } of removed) outcomes.push({ id, revision, status: 'indexed', chunks: 0 });
    await source.settle(
      failure === undefined
        ? outcomes
        : outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error: failure })),
    );
    this.#parts.trainer.touch(new Set(claimed.map(({ workspaceId }) => workspaceId)));
    return rows.reduce((sum, { chunks }) => sum + chunks.length, 0);
  }

  /** Gives the message of a failure, in which case none of the batch counts as indexed. */
  async #write(
    rows: readonly DocumentRows[],
    removed: readonly IndexDocument[],
    { tables, row }: Healthy,
  ): Promise<string | undefined> {
    try {
      await tables.replace(rows);
      await tables.remove(removed.map(({ id }) => id));
    } catch (error) {
      await this.#parts.check.blame(error);
      return 'The index could not be written; it is tried again.';
    }
    // A repair has put another generation in use meanwhile: what was written is not in it.
    const now = await this.#parts.generations.read();
    return now?.marker === row.marker ? undefined : 'The index was rebuilt meanwhile; it is tried again.';
  }

  async #rows(
    document: IndexDocument,
    embedders: readonly Embedder[],
    signal: AbortSignal,
  ): Promise<DocumentRows> {
    const { path, language, text } = document;
    const structure = await this.#parts.syntax.parse({ path, language, text }, signal);
    const chunks = chunkRows(document, chunk(text, structure));
    const vectors = [];
    for (const embedder of embedders) {
      vectors.push(...vectorRows(chunks, await embedder.embedPassages(chunks, signal), embedder));
    }
    return { document: documentRow(document), chunks, vectors };
  }
}
