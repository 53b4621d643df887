import type { Database } from '@service-mcp/core';
import type { IndexDocument, IndexSource } from '../contract.js';
import { CHUNKER_VERSION } from './chunking/chunk.js';
import type { Trainer } from './embedding/trainer.js';
import { applyDrops } from './index/drops.js';
import type { Generations } from './index/generations.js';
import type { Health, IndexCheck } from './index/health.js';
import type { DocumentRows } from './index/index-tables.js';
import type { Maintenance } from './index/maintenance.js';
import { prepare, type Prepared, type PrepareParts } from './prepare.js';

/** Claimed together, so that the next batch is ready while one is written. */
const BATCHES_A_ROUND = 4;

type Healthy = Extract<Health, { healthy: true }>;

export interface IndexerParts extends PrepareParts {
  readonly database: Database;
  readonly sources: readonly IndexSource[];
  readonly check: IndexCheck;
  readonly generations: Generations;
  readonly trainer: Trainer;
  readonly maintenance: Maintenance;
  readonly batchDocuments: number;
  readonly batchBytes: number;
}

export interface Round {
  /** Documents settled, whatever the outcome. */
  readonly documents: number;
  readonly more: boolean;
}

/**
 * Updates the index from the sources, one bounded round at a time: claim, parse, chunk, analyse, embed,
 * write, settle. A failure affects its document alone. A crash anywhere leaves the claim, and the next round writes
 * the same rows again. Nothing is written to an index that is not healthy: the work stays pending.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  #refused: string | undefined;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  async round(signal: AbortSignal, { repairing = false } = {}): Promise<Round> {
    const { check, sources, trainer, maintenance, database, log } = this.#parts;
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
    const dropped = await applyDrops(database, index.tables);
    trainer.touch(new Set(dropped.flatMap(({ scope, id }) => (scope === 'workspace' ? [id] : []))));
    let documents = 0;
    let rows = 0;
    for (const source of sources) {
      const claimed = await source.claim(
        this.#parts.batchDocuments * BATCHES_A_ROUND,
        this.#parts.batchBytes * BATCHES_A_ROUND,
      );
      if (claimed.length === 0) continue;
      documents += claimed.length;
      rows += await this.#index(source, claimed, index, signal);
    }
    await maintenance.step(index.tables, rows + dropped.length);
    if (documents > 0 || repairing) return { documents, more: documents > 0 };
    return { documents, more: await trainer.step(index, signal) };
  }

  /** Documents of another chunker version are indexed again. */
  async #followChunker({ row }: Healthy): Promise<void> {
    if (row.chunkerVersion === CHUNKER_VERSION) return;
    for (const source of this.#parts.sources) await source.requeueAll();
    await this.#parts.generations.recordChunker(CHUNKER_VERSION);
  }

  /** While one batch is written, the next is prepared. */
  async #index(
    source: IndexSource,
    claimed: readonly IndexDocument[],
    index: Healthy,
    signal: AbortSignal,
  ): Promise<number> {
    let rows = 0;
    let committing: Promise<void> = Promise.resolve();
    for (const batch of inBatches(claimed, this.#parts.batchDocuments)) {
      const prepared = await prepare(batch, this.#parts, signal).catch(async (error: unknown) => {
        await committing; // the batch prepared before is still written
        throw error;
      });
      await committing;
      committing = this.#commit(source, prepared, index);
      committing.catch(() => undefined); // awaited below or before the next
      rows += prepared.rows.reduce((sum, { chunks }) => sum + chunks.length, 0);
    }
    await committing;
    this.#parts.trainer.touch(new Set(claimed.map(({ workspaceId }) => workspaceId)));
    return rows;
  }

  /** Writes a batch, then settles it as indexed. */
  async #commit(source: IndexSource, prepared: Prepared, index: Healthy): Promise<void> {
    const { rows, removed, outcomes } = prepared;
    const failure = await this.#write(rows, removed, index);
    await this.#parts.maintenance.followWrites(index.tables);
    await source.settle(
      failure === undefined
        ? outcomes
        : outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error: failure })),
    );
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
    // A repair has switched generations meanwhile: the new one lacks these rows.
    const now = await this.#parts.generations.read();
    return now?.marker === row.marker ? undefined : 'The index was rebuilt meanwhile; it is tried again.';
  }
}

function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
