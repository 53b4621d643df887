import type { Database } from '@service-mcp/core';
import type { SearchConfig } from '../config.js';
import type { DocumentOutcome, IndexDocument, IndexSource } from '../contract.js';
import { CHUNKER_VERSION } from './chunking/chunk.js';
import type { Trainer } from './embedding/trainer.js';
import { applyDrops } from './index/drops.js';
import type { Generations } from './index/generations.js';
import type { HealthyIndex, IndexCheck } from './index/health.js';
import type { Maintenance } from './index/maintenance.js';
import { prepare, type Prepared, type PrepareParts } from './prepare.js';

/** Claimed together: the next batch is prepared while one is written, and the text index is updated once for all. */
const BATCHES_A_ROUND = 8;
/** How often a damaged index is looked at again. */
const RECHECK_MS = 1000;

export interface IndexerParts extends PrepareParts {
  readonly database: Database;
  readonly sources: readonly IndexSource[];
  readonly check: IndexCheck;
  readonly generations: Generations;
  readonly trainer: Trainer;
  readonly maintenance: Maintenance;
  readonly config: Pick<SearchConfig, 'batch_documents' | 'batch_bytes'>;
}

type State = Awaited<ReturnType<Generations['state']>>;

/**
 * Updates the indexes from the sources, one bounded round at a time: claim, parse, chunk, analyse, embed,
 * write, settle. A failure affects its document alone. A crash anywhere leaves the claim, and the next round writes
 * the same rows again. Nothing is written to an index that is not healthy: the work of its workspace stays pending.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  /** Workspaces whose index is damaged, and when each was looked at last. */
  readonly #damaged = new Map<string, number>();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** `documents`: how many were claimed. `more`: another round should follow at once. */
  async round(
    signal: AbortSignal,
    { repairing = false } = {},
  ): Promise<{ readonly documents: number; readonly more: boolean }> {
    const { config, generations, sources, trainer, maintenance, database } = this.#parts;
    const state = await generations.state();
    if (!repairing && generations.isHeld(state)) return { documents: 0, more: false };
    await this.#followChunker(state);
    const dropped = await applyDrops(database, this.#parts);
    for (const { scope, id } of dropped) if (scope === 'workspace') this.#damaged.delete(id);
    await this.#recheck();
    let documents = 0;
    for (const source of sources) {
      const claimed = await source.claim({
        limit: config.batch_documents * BATCHES_A_ROUND,
        maxBytes: config.batch_bytes * BATCHES_A_ROUND,
        except: new Set(this.#damaged.keys()),
      });
      documents += claimed.length;
      for (const [workspaceId, some] of byWorkspace(claimed))
        await this.#index(source, workspaceId, some, signal);
    }
    await maintenance.step();
    const isShared = state.generation > 0;
    if (documents > 0 || repairing || isShared) {
      if (isShared && documents === 0) await generations.endSharing(state);
      return { documents, more: documents > 0 };
    }
    return { documents, more: await trainer.step(signal) };
  }

  /** Documents of another chunker version are indexed again. */
  async #followChunker({ chunker_version }: State): Promise<void> {
    if (chunker_version === CHUNKER_VERSION) return;
    for (const source of this.#parts.sources) await source.requeue();
    await this.#parts.generations.recordChunker();
  }

  /** Looks again at indexes that were damaged. */
  async #recheck(): Promise<void> {
    for (const [workspaceId, at] of this.#damaged) {
      if (Date.now() - at >= RECHECK_MS) await this.#open(workspaceId);
    }
  }

  /** The index that documents of a workspace are written to; undefined where it is damaged. */
  async #open(workspaceId: string): Promise<HealthyIndex | undefined> {
    const index = await this.#parts.check.write(workspaceId);
    if (index.healthy) {
      this.#damaged.delete(workspaceId);
      return index;
    }
    if (!this.#damaged.has(workspaceId)) {
      const fields = { reason: index.reason, workspace: workspaceId };
      this.#parts.log.error(fields, 'indexing of a workspace waits for a repair of its index');
    }
    this.#damaged.set(workspaceId, Date.now());
    return undefined;
  }

  /** Writes batches, each while the next is prepared, then brings them into the text index and settles them. */
  async #index(
    source: IndexSource,
    workspaceId: string,
    claimed: readonly IndexDocument[],
    signal: AbortSignal,
  ): Promise<void> {
    const index = await this.#open(workspaceId);
    if (!index) return;
    const { config, generations, maintenance, trainer } = this.#parts;
    const written: Promise<readonly DocumentOutcome[]>[] = [];
    const settle = async () => {
      await maintenance.followWrites(index.tables);
      await generations.recordCounts(workspaceId, index.tables);
      const outcomes = (await Promise.all(written)).flat();
      // A repair has switched generations meanwhile: the new one lacks these rows.
      const now = await generations.writing(workspaceId);
      await source.settle(now.marker === index.place.marker ? outcomes : failed(outcomes, REBUILT));
    };
    for (let at = 0; at < claimed.length; at += config.batch_documents) {
      const batch = claimed.slice(at, at + config.batch_documents);
      const prepared = await prepare(batch, this.#parts, signal).catch(async (error: unknown) => {
        await settle(); // the batches before
        throw error;
      });
      await written.at(-1);
      const writing = this.#write(prepared, index);
      writing.catch(() => undefined); // awaited before the next, or by settle
      written.push(writing);
    }
    await written.at(-1);
    await settle();
    trainer.touch(workspaceId);
  }

  /** The outcomes of a batch: after a failed write, none of it counts as indexed. */
  async #write(
    { batches, removed, outcomes }: Prepared,
    { tables, place }: HealthyIndex,
  ): Promise<readonly DocumentOutcome[]> {
    const rows = outcomes.reduce((sum, outcome) => sum + ('chunks' in outcome ? outcome.chunks : 0), 0);
    this.#parts.maintenance.wrote(place.workspaceId, tables, rows + removed.length);
    try {
      for (const batch of batches) await tables.replace(batch);
      await tables.remove(removed.map(({ id }) => id));
      return outcomes;
    } catch (error) {
      await this.#parts.check.blame(error, place);
      return failed(outcomes, NOT_WRITTEN);
    }
  }
}

const NOT_WRITTEN = 'The index could not be written; it is tried again.';
const REBUILT = 'The index was rebuilt meanwhile; it is tried again.';

function failed(outcomes: readonly DocumentOutcome[], error: string): DocumentOutcome[] {
  return outcomes.map(({ id, revision }) => ({ id, revision, status: 'failed', error }));
}

function byWorkspace(documents: readonly IndexDocument[]): Map<string, IndexDocument[]> {
  const grouped = new Map<string, IndexDocument[]>();
  for (const document of documents) {
    const some = grouped.get(document.workspaceId);
    if (some) some.push(document);
    else grouped.set(document.workspaceId, [document]);
  }
  return grouped;
}
