import type { Piscina } from 'piscina';
import type { Lease, Leases, Log } from '@service-mcp/core';
import type { SearchConfig } from '../../config.js';
import { literal } from '../index/filter.js';
import type { HealthyIndex, IndexCheck } from '../index/health.js';
import { takeIndexLease, takeTrainingLease } from '../index/index-lease.js';
import { DIMENSIONS } from '../index/tables.js';
import type { Upkeep } from '../index/upkeep.js';
import { isOutage } from '../outage.js';
import { threadPool } from '../thread-pool.js';
import { buildBatch } from './build-space.js';
import { ProviderFailure } from '../models/provider-failure.js';
import type { Space, SpaceStore } from './space-store.js';
import { tunedSpaceId, type Spaces } from './spaces.js';
import { unpack, type TermModel } from './term-model.js';
import { readSamples } from './training/read-samples.js';
import { packSamples, type trainInThread } from './training/train.js';

const WORKER = new URL('./training/train.js', import.meta.url);
/** A corpus is trained again when it has grown by half. */
const GROWTH = 1.5;
/** While so many documents wait, and as many as a hundredth of its chunks, a workspace is being ingested: its training waits. */
const MIN_WAITING = 16;
const CHUNKS_PER_WAITING = 100;
/** After a failed training, a workspace waits this long. */
const RETRY_MS = 10 * 60_000;
/** How long the vectors of a replaced space stay. */
const RETIRED_MS = 10_000;
/** After a step of a space failed, its workspace waits this long. */
const FAILED_STEP_MS = 1000;

type Job = {
  readonly workspaceId: string;
  readonly chunks: number;
  readonly lease: Lease;
  result?: TermModel | 'failed';
};

type IsWaiting = (workspaceId: string, count: number) => Promise<boolean>;

interface TrainerParts {
  readonly leases: Leases;
  readonly check: IndexCheck;
  readonly spaces: Spaces;
  readonly store: SpaceStore;
  readonly upkeep: Upkeep;
}

/**
 * Gives workspaces embedders of their own: trains in a worker thread while the active space goes on, fills the new
 * space beside it, swaps, and drops the vectors of the old one. Each step is bounded and survives a crash; what writes is
 * done under the lease of the index.
 */
export class Trainer {
  readonly #parts: TrainerParts;
  readonly #config: SearchConfig;
  readonly #log: Log;
  #job: Job | undefined;
  #closing = false;
  /** Workspaces whose spaces failed, and when they are tried again. */
  readonly #waiting = new Map<string, number>();
  #pool: Piscina<Parameters<typeof trainInThread>[0], Uint8Array> | undefined;

  constructor(parts: TrainerParts, config: SearchConfig, log: Log) {
    this.#parts = parts;
    this.#config = config;
    this.#log = log;
  }

  /** True while a thread trains. */
  get training(): boolean {
    return this.#job !== undefined && this.#job.result === undefined;
  }

  /** Whether a step would find work, or will soon. */
  async hasWork(): Promise<boolean> {
    await this.#parts.spaces.followAll();
    if (this.#job || (await this.#parts.store.unfinished()).length > 0) return true;
    return (await this.#due()).length > 0;
  }

  /** One bounded step; true where another should follow at once. `isWaiting`: whether so many documents of a workspace wait. */
  async step(signal: AbortSignal, isWaiting: IsWaiting): Promise<boolean> {
    if (await this.#finish()) return true;
    const { spaces, store, leases } = this.#parts;
    await spaces.followAll();
    for (const found of await store.unfinished()) {
      if (!isDue(found)) continue;
      if (performance.now() < (this.#waiting.get(found.workspace_id) ?? 0)) continue;
      this.#waiting.delete(found.workspace_id);
      await using lease = await takeIndexLease(leases, found.workspace_id);
      const space = lease && (await this.#current(found));
      if (!space) continue;
      const index = await this.#open(space.workspace_id);
      try {
        if (space.state === 'retired') await this.#drop(space, index);
        else if (index && (await this.#build(space, { index, lease }, signal))) return true;
      } catch (error) {
        if (signal.aborted || isOutage(error)) throw error;
        this.#log.warn({ err: error, workspace: space.workspace_id }, 'a vector space could not be changed');
        this.#waiting.set(space.workspace_id, performance.now() + FAILED_STEP_MS);
        if (index) await this.#parts.check.blame(error, index.place);
      }
    }
    if (!this.#job) await this.#begin(isWaiting);
    return false;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const job = this.#job;
    if (job) {
      await this.#parts.store.trainAfter(job.workspaceId, 0); // the next start trains again
      await job.lease.release();
    }
    await this.#pool?.destroy();
  }

  /**
   * A space as it is under the lease; undefined where it is no longer due, or where a process with another configuration
   * added it.
   */
  async #current({ workspace_id, space_id }: Space): Promise<Space | undefined> {
    const { spaces, store } = this.#parts;
    spaces.changed(workspace_id);
    const { owed } = await spaces.follow(workspace_id);
    const space = (await store.list(workspace_id)).find((each) => each.space_id === space_id);
    if (!space || !isDue(space)) return undefined;
    return owed && space.state === 'building' && space.kind !== 'provided' ? undefined : space;
  }

  /** The index of a workspace; undefined where it has none, or a damaged one. */
  async #open(workspaceId: string): Promise<HealthyIndex | undefined> {
    const index = await this.#parts.check.read(workspaceId);
    return index.healthy && index.tables ? index : undefined;
  }

  async #due() {
    if (!this.#config.training) return [];
    return this.#parts.store.due(this.#config.training_min_chunks, GROWTH);
  }

  async #begin(isWaiting: IsWaiting): Promise<void> {
    for (const { workspace_id: workspaceId, chunks } of await this.#due()) {
      if (await isWaiting(workspaceId, Math.max(MIN_WAITING, Math.ceil(chunks / CHUNKS_PER_WAITING))))
        continue;
      if (chunks === 0) {
        await this.#forget(workspaceId);
        continue;
      }
      const lease = await takeTrainingLease(this.#parts.leases, workspaceId);
      if (!lease) continue;
      const share = this.#config.training_max_chunks / chunks;
      let samples: Uint8Array<ArrayBuffer> | undefined;
      try {
        samples = await this.#samples(workspaceId, share);
      } finally {
        if (!samples) await lease.release();
      }
      if (!samples) continue;
      this.#job = { workspaceId, chunks, lease };
      void this.#train(this.#job, samples, share >= 1);
      return;
    }
  }

  /** What a workspace is trained on, packed; undefined where its index is damaged. */
  async #samples(workspaceId: string, share: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const index = await this.#open(workspaceId);
    if (!index) return undefined;
    // Until it succeeds, so that a training that ends the process is not repeated at once.
    await this.#parts.store.trainAfter(workspaceId, RETRY_MS);
    return packSamples(await readSamples(index.tables, share));
  }

  /** Forgets the embedder of an empty workspace, unless something is being written to its index. */
  async #forget(workspaceId: string): Promise<void> {
    const { leases, spaces, store } = this.#parts;
    await using lease = await takeIndexLease(leases, workspaceId);
    const index = lease && (await this.#open(workspaceId));
    if (!index || (await index.tables.chunks.countRows()) > 0) return;
    await store.forget(workspaceId);
    spaces.changed(workspaceId);
  }

  async #train(job: Job, samples: Uint8Array<ArrayBuffer>, consecutive: boolean): Promise<void> {
    this.#pool ??= threadPool(WORKER, { maxThreads: 1, idleTimeout: 1000, env: {} }); // the thread needs no environment
    try {
      const options = { dimensions: DIMENSIONS, maxTerms: this.#config.training_max_terms, consecutive };
      const task = { name: 'trainInThread', transferList: [samples.buffer] };
      job.result = unpack(Buffer.from(await this.#pool.run({ samples, options }, task)));
      this.#log.info({ workspace: job.workspaceId, chunks: job.chunks }, 'trained an embedder');
    } catch (error) {
      job.result = 'failed';
      if (this.#closing) return; // the stop ended the thread; the next start trains again
      this.#log.warn({ err: error, workspace: job.workspaceId }, 'training an embedder failed');
    }
  }

  /** Takes over what the thread has made, once the index is free. */
  async #finish(): Promise<boolean> {
    const job = this.#job;
    if (job?.result === undefined) return false;
    await using lease = await takeIndexLease(this.#parts.leases, job.workspaceId);
    if (!lease) return false;
    let isKept = false;
    try {
      return await this.#store(job, job.result);
    } catch (error) {
      isKept = isOutage(error); // a later step stores it
      throw error;
    } finally {
      if (!isKept) {
        this.#job = undefined;
        await job.lease.release();
      }
    }
  }

  /** False where there is nothing to store, or no index for it. */
  async #store({ workspaceId, chunks }: Job, result: NonNullable<Job['result']>): Promise<boolean> {
    const { spaces, store } = this.#parts;
    const index = await this.#open(workspaceId);
    if (!index || result === 'failed' || result.terms.length === 0) return false;
    const rest = { kind: 'tuned', state: 'building', dimensions: DIMENSIONS, cursor: '' } as const;
    const space = { workspace_id: workspaceId, space_id: tunedSpaceId(result), chunks, ...rest };
    await store.add({ ...space, generation: index.generation }, result);
    await store.trainAfter(workspaceId, 0);
    spaces.changed(workspaceId);
    return true;
  }

  /** Fills a building space by one batch of documents; the last one swaps. False while its provider does not answer. */
  async #build(
    space: Space,
    { index, lease }: { readonly index: HealthyIndex; readonly lease: Lease },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { spaces, store, upkeep } = this.#parts;
    const cursor = space.generation === index.generation ? space.cursor : '';
    const { workspace_id: workspace, kind } = space;
    let next: string | undefined;
    try {
      const embedder = await spaces.embedder(space);
      next = await buildBatch({ tables: index.tables, embedder, lease, log: this.#log }, cursor, signal);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.#log.debug({ err: error, workspace }, 'a vector space waits for its provider');
      return false;
    }
    if (next !== undefined) {
      await store.moveCursor(space, next, index.generation);
      if (kind === 'provided') {
        const documents = await index.tables.documents.countRows(`id <= ${literal(next)}`);
        const of = await index.tables.documents.countRows();
        this.#log.info({ workspace, documents, of }, 'embedding a workspace for another provider');
      }
    } else {
      await store.activate(space);
      spaces.changed(workspace);
      // Until the vector index has the new vectors, every query compares all of them.
      await upkeep.wrote(index, 0);
      this.#log.info({ workspace, kind }, 'a vector space is built and in use');
    }
    return true;
  }

  /** Drops a retired space, once no query that began before the swap can still be reading it. */
  async #drop(space: Space, index: HealthyIndex | undefined): Promise<void> {
    const { store, upkeep } = this.#parts;
    await index?.tables.dropSpace(space.space_id);
    if (index) await upkeep.wrote(index, 0);
    await store.drop(space);
  }
}

/** Whether it is being built, or was retired so long ago that it can be dropped. */
function isDue({ state, since }: Space): boolean {
  return state === 'building' || (state === 'retired' && Date.now() - Date.parse(since) >= RETIRED_MS);
}
