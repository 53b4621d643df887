import type { Piscina } from 'piscina';
import type { Log } from '@service-mcp/core';
import type { SearchConfig } from '../../config.js';
import { literal } from '../index/filter.js';
import type { HealthyIndex, IndexCheck } from '../index/health.js';
import type { IndexTables } from '../index/index-tables.js';
import { DIMENSIONS, type ChunkRow } from '../index/tables.js';
import { threadPool } from '../thread-pool.js';
import { buildBatch } from './build-space.js';
import type { Space, SpaceStore } from './space-store.js';
import { tunedSpaceId, type Spaces } from './spaces.js';
import { unpack, type TermModel } from './term-model.js';
import type { Sample } from './training/pairs.js';
import type { trainInThread } from './training/train.js';

const WORKER = new URL('./training/train.js', import.meta.url);
/** A corpus is trained again when it has grown by half. */
const GROWTH = 1.5;
/** Workspaces whose size is looked at in one step. */
const MAX_SIZED = 32;
/** After a failed training, a workspace waits this long. */
const RETRY_MS = 10 * 60_000;
/** How long the vectors of a replaced space stay. */
const RETIRED_MS = 10_000;

type Job = { readonly workspaceId: string; readonly chunks: number; result?: TermModel | 'failed' };

/**
 * Gives workspaces embedders of their own: trains in a worker thread while the active space goes on, fills the new
 * space beside it, swaps, and drops the vectors of the old one. Each step is bounded and survives a crash.
 */
export class Trainer {
  readonly #check: IndexCheck;
  readonly #spaces: Spaces;
  readonly #store: SpaceStore;
  readonly #config: SearchConfig;
  readonly #log: Log;
  /** Workspaces whose size is to be looked at; undefined until all have been asked for once. */
  #dirty: Set<string> | undefined;
  /** Whether SQL may know of a space that is building or retired. */
  #unfinished = true;
  readonly #waiting = new Map<string, number>();
  #job: Job | undefined;
  #closing = false;
  #pool: Piscina<Parameters<typeof trainInThread>[0], Uint8Array> | undefined;

  constructor(
    parts: { readonly check: IndexCheck; readonly spaces: Spaces; readonly store: SpaceStore },
    config: SearchConfig,
    log: Log,
  ) {
    this.#check = parts.check;
    this.#spaces = parts.spaces;
    this.#store = parts.store;
    this.#config = config;
    this.#log = log;
  }

  /** Remembers that documents of a workspace changed. */
  touch(workspaceId: string): void {
    this.#dirty?.add(workspaceId);
  }

  /** True while a thread trains. */
  get training(): boolean {
    return this.#job !== undefined && this.#job.result === undefined;
  }

  /** One bounded step; true where another should follow at once. */
  async step(signal: AbortSignal): Promise<boolean> {
    if (await this.#finish()) return true;
    if (this.#unfinished) {
      const spaces = await this.#store.list();
      for (const building of spaces.filter(({ state }) => state === 'building')) {
        const index = await this.#open(building.workspace_id);
        if (index) return this.#build(building, index, signal);
      }
      const retired = spaces.filter(({ state }) => state === 'retired');
      for (const space of retired) await this.#drop(space);
      this.#unfinished = spaces.some(({ state }) => state !== 'active');
    }
    if (!this.#job && this.#config.training) await this.#begin();
    return false;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#pool?.destroy();
  }

  /** The index of a workspace; undefined where it has none, or a damaged one. */
  async #open(workspaceId: string): Promise<HealthyIndex | undefined> {
    const index = await this.#check.read(workspaceId);
    return index.healthy && index.tables ? index : undefined;
  }

  async #begin(): Promise<void> {
    this.#dirty ??= new Set((await this.#store.list()).map(({ workspace_id }) => workspace_id));
    for (const workspaceId of Array.from(this.#dirty).slice(0, MAX_SIZED)) {
      this.#dirty.delete(workspaceId);
      const index = await this.#open(workspaceId);
      if (!index) continue; // its next documents say so again
      const chunks = await index.tables.chunks.countRows();
      const active = (await this.#store.list(workspaceId)).find(({ state }) => state === 'active');
      if (chunks === 0) {
        await this.#store.forget(workspaceId);
        this.#spaces.changed(workspaceId);
        continue;
      }
      const due =
        active?.kind === 'tuned'
          ? chunks >= active.chunks * GROWTH
          : chunks >= this.#config.training_min_chunks;
      if (!due) continue;
      if ((this.#waiting.get(workspaceId) ?? 0) > Date.now()) {
        this.#dirty.add(workspaceId);
        continue;
      }
      const job: Job = { workspaceId, chunks };
      this.#job = job;
      const share = this.#config.training_max_chunks / chunks;
      const samples = await readSamples(index.tables, share);
      void this.#train(job, samples, share >= 1);
      return;
    }
  }

  async #train(job: Job, samples: Sample[], consecutive: boolean): Promise<void> {
    this.#pool ??= threadPool(WORKER, { maxThreads: 1, idleTimeout: 1000, env: {} }); // the thread needs no environment
    try {
      const options = { dimensions: DIMENSIONS, maxTerms: this.#config.training_max_terms, consecutive };
      job.result = unpack(Buffer.from(await this.#pool.run({ samples, options }, { name: 'trainInThread' })));
      this.#log.info({ workspace: job.workspaceId, chunks: job.chunks }, 'trained an embedder');
    } catch (error) {
      job.result = 'failed';
      if (this.#closing) return; // the stop ended the thread; the next start trains again
      this.#log.warn({ err: error, workspace: job.workspaceId }, 'training an embedder failed');
    }
  }

  /** Takes over what the thread has made. */
  async #finish(): Promise<boolean> {
    const job = this.#job;
    if (job?.result === undefined) return false;
    this.#job = undefined;
    const index = await this.#open(job.workspaceId);
    if (!index) return false;
    this.#dirty?.add(job.workspaceId);
    if (job.result === 'failed' || job.result.terms.length === 0) {
      this.#waiting.set(job.workspaceId, Date.now() + RETRY_MS);
      return false;
    }
    const { workspaceId: workspace_id, chunks, result } = job;
    const rest = { kind: 'tuned', state: 'building', dimensions: DIMENSIONS, cursor: '' } as const;
    const space = { workspace_id, space_id: tunedSpaceId(result), chunks, ...rest };
    await this.#store.add({ ...space, generation: index.generation }, result);
    this.#spaces.changed(workspace_id);
    this.#unfinished = true;
    return true;
  }

  /** Fills a building space by one batch of documents; the last one swaps. */
  async #build(space: Space, index: HealthyIndex, signal: AbortSignal): Promise<boolean> {
    const cursor = space.generation === index.generation ? space.cursor : '';
    const next = await buildBatch(index.tables, space, await this.#spaces.embedder(space), cursor, signal);
    if (next !== undefined) await this.#store.moveCursor(space, next, index.generation);
    else {
      await this.#store.activate(space);
      this.#spaces.changed(space.workspace_id);
    }
    return true;
  }

  /** Drops a retired space once no query that began before the swap can still be reading it. */
  async #drop(space: Space): Promise<void> {
    if (Date.now() - Date.parse(space.since) < RETIRED_MS) return;
    await (await this.#open(space.workspace_id))?.tables.dropSpace(space.space_id);
    await this.#store.drop(space);
  }
}

/**
 * A share of the chunks, in order of document and place. Their ids are hashes: those below a bound are an even sample.
 * Ids of records sort by time, so that neighbours are records written one after the other.
 */
async function readSamples(tables: IndexTables, share: number): Promise<Sample[]> {
  const bound = Math.floor(share * 0xffffffff)
    .toString(16)
    .padStart(8, '0');
  const rows: ChunkRow[] = await tables.chunks
    .query()
    .where(share >= 1 ? 'true' : `id < ${literal(bound)}`)
    .select(['id', 'doc_id', 'project_id', 'kind', 'start', 'symbol', 'title', 'text'])
    .toArray();
  return rows
    .sort((a, b) => compare(a.doc_id, b.doc_id) || a.start - b.start || compare(a.id, b.id))
    .map(({ kind, project_id: projectId, symbol, title, text }) => ({
      kind,
      projectId,
      symbol,
      title,
      text,
    }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
