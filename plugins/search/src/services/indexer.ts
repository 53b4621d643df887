import type { Database } from '@service-mcp/core';
import type { SearchConfig } from '../config.js';
import type { IndexDocument, IndexSource } from '../contract.js';
import { CHUNKER_VERSION } from './chunking/chunk.js';
import type { Trainer } from './embedding/trainer.js';
import { applyDrops } from './index/drops.js';
import type { Generations } from './index/generations.js';
import type { HealthyIndex, IndexCheck } from './index/health.js';
import type { Maintenance } from './index/maintenance.js';
import { prepare, type Prepared, type PrepareParts } from './prepare.js';

/** Claimed together, so that the next batch is ready while one is written. */
const BATCHES_A_ROUND = 4;

export interface IndexerParts extends PrepareParts {
  readonly database: Database;
  readonly sources: readonly IndexSource[];
  readonly check: IndexCheck;
  readonly generations: Generations;
  readonly trainer: Trainer;
  readonly maintenance: Maintenance;
  readonly config: Pick<SearchConfig, 'batch_documents' | 'batch_bytes'>;
}

/**
 * Updates the index from the sources, one bounded round at a time: claim, parse, chunk, analyse, embed,
 * write, settle. A failure affects its document alone. A crash anywhere leaves the claim, and the next round writes
 * the same rows again. Nothing is written to an index that is not healthy: the work stays pending.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  /** The last reason that was logged. */
  #fault: string | undefined;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** `documents`: how many were settled, whatever the outcome. `more`: another round should follow at once. */
  async round(
    signal: AbortSignal,
    { repairing = false } = {},
  ): Promise<{ readonly documents: number; readonly more: boolean }> {
    const { check, config, generations, sources, trainer, maintenance, database } = this.#parts;
    const index = await check.read({ fresh: repairing });
    const row = await generations.read();
    if (row && !repairing && generations.isHeld(row)) return { documents: 0, more: false };
    if (!index.healthy) {
      if (repairing) throw new Error(`the new index is not sound: ${index.reason}`);
      this.#reportFault(index.reason);
      return { documents: 0, more: false };
    }
    this.#fault = undefined;
    await this.#followChunker(index);
    const dropped = await applyDrops(database, index.tables);
    trainer.touch(dropped.flatMap(({ scope, id }) => (scope === 'workspace' ? [id] : [])));
    let documents = 0;
    let rows = 0;
    for (const source of sources) {
      const claimed = await source.claim(
        config.batch_documents * BATCHES_A_ROUND,
        config.batch_bytes * BATCHES_A_ROUND,
      );
      documents += claimed.length;
      rows += await this.#index(source, claimed, index, signal);
    }
    await maintenance.step(index.tables, rows + dropped.length);
    if (documents > 0 || repairing) return { documents, more: documents > 0 };
    return { documents, more: await trainer.step(index, signal) };
  }

  #reportFault(reason: string): void {
    if (this.#fault !== reason) this.#parts.log.error({ reason }, 'indexing waits for a repair of the index');
    this.#fault = reason;
  }

  /** Documents of another chunker version are indexed again. */
  async #followChunker({ row }: HealthyIndex): Promise<void> {
    if (row.chunker_version === CHUNKER_VERSION) return;
    for (const source of this.#parts.sources) await source.requeueAll();
    await this.#parts.generations.recordChunker();
  }

  /** While one batch is written, the next is prepared. */
  async #index(
    source: IndexSource,
    claimed: readonly IndexDocument[],
    index: HealthyIndex,
    signal: AbortSignal,
  ): Promise<number> {
    let rows = 0;
    let committing: Promise<void> = Promise.resolve();
    const size = this.#parts.config.batch_documents;
    for (let at = 0; at < claimed.length; at += size) {
      const batch = claimed.slice(at, at + size);
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
    this.#parts.trainer.touch(claimed.map(({ workspaceId }) => workspaceId));
    return rows;
  }

  /** Writes a batch, then settles it as indexed. */
  async #commit(source: IndexSource, prepared: Prepared, index: HealthyIndex): Promise<void> {
    const error = await this.#write(prepared, index);
    await this.#parts.maintenance.followWrites(index.tables);
    await source.settle(
      error === undefined
        ? prepared.outcomes
        : prepared.outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error })),
    );
  }

  /** Gives the message of a failure, in which case none of the batch counts as indexed. */
  async #write({ rows, removed }: Prepared, { tables, row }: HealthyIndex): Promise<string | undefined> {
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
