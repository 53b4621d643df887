import type { Database, Leases } from '@service-mcp/core';
import type { SearchConfig } from '../config.js';
import type { DocumentOutcome, IndexDocument, IndexSource } from '../contract.js';
import { BatchSize } from './batch-size.js';
import { CHUNKER_VERSION } from './chunking/chunk.js';
import type { ProvidedVectors } from './embedding/provided-vectors.js';
import type { Trainer } from './embedding/trainer.js';
import { Drops, noteUncertainDocuments } from './index/drops.js';
import type { Generations } from './index/generations.js';
import type { HealthyIndex, IndexCheck } from './index/health.js';
import { takeDeploymentLease, takeIndexLease, type Turn } from './index/index-lease.js';
import { indexText, type MaintenanceOptions } from './index/maintenance.js';
import type { Upkeep } from './index/upkeep.js';
import type { TrigramIndex } from './trigrams/trigram-index.js';
import { FailingWorkspaces } from './failing-workspaces.js';
import { failed, NOT_FINDABLE, REBUILT, RETRY_MS } from './failed-outcomes.js';
import { GatheredWrites } from './gathered-writes.js';
import { isOutage } from './outage.js';
import { prepare, type Prepared, type PrepareParts } from './prepare.js';
import { prepareAhead } from './prepare-ahead.js';
import { areWaiting, waitingWorkspaces } from './waiting-documents.js';
import { writeBatch, type Written } from './write-batch.js';

/** Documents of small changes that are indexed before anything else. */
const SMALL = { small: true, limit: 256, maxBytes: 1024 * 1024 } as const;

export interface IndexerParts extends PrepareParts {
  readonly database: Database;
  readonly leases: Leases;
  readonly sources: readonly IndexSource[];
  readonly check: IndexCheck;
  readonly generations: Generations;
  readonly trainer: Trainer;
  readonly provided: ProvidedVectors;
  readonly upkeep: Upkeep;
  readonly trigrams: TrigramIndex;
  readonly maintenance: MaintenanceOptions;
  readonly config: Pick<SearchConfig, 'batch_documents' | 'batch_bytes'>;
}

/** A turn that small changes may interrupt: they announce what they are about to write. */
interface OpenTurn extends Turn {
  readonly overtake?: (newer: readonly IndexDocument[]) => Promise<unknown>;
}

type State = Awaited<ReturnType<Generations['state']>>;
type Claim = Omit<Parameters<IndexSource['claim']>[0], 'only'>;

/**
 * Updates the indexes from the sources in bounded rounds: claim, parse, chunk, analyse, embed, write, settle. Each
 * workspace is written under its lease, so that several processes share the work. What was just saved comes first, also
 * between the batches of a folder that is being ingested. A failure affects its document alone. A crash anywhere leaves
 * the claim, and the next turn writes the same rows again. Nothing is written to an index that is not healthy: the work of
 * its workspace stays pending.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  readonly #batchSize: BatchSize;
  readonly #drops: Drops;
  readonly #failing = new FailingWorkspaces();
  /** Small changes are being indexed. */
  #isSmall = false;
  /** When they may interrupt other work again. */
  #smallDueAt = 0;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
    this.#batchSize = new BatchSize(parts.config, parts.threads.count);
    this.#drops = new Drops(parts);
  }

  /** `more`: another round should follow at once. */
  async round(signal: AbortSignal): Promise<{ readonly more: boolean }> {
    const { check, generations, sources, trainer, upkeep } = this.#parts;
    if (await check.isForeign()) return { more: false };
    const state = await generations.state();
    await this.#followChunker(state);
    await this.#drops.apply();
    let documents = await this.indexSmall(signal);
    const waiting = await waitingWorkspaces(sources);
    for (const workspaceId of this.#failing.tried(waiting)) {
      const claim = this.#batchSize.claim(waiting.length, await upkeep.chunks(workspaceId));
      const indexed = await this.#tryTurn(workspaceId, claim, signal);
      documents += indexed;
      if (indexed > 0) break;
    }
    await upkeep.step((turn) => this.#letSmallIn(turn, signal), signal);
    // Also between documents that keep coming: a trained embedder would wait for ever.
    const trained =
      state.generation === 0 && (await trainer.step(signal, (...many) => areWaiting(sources, ...many)));
    if (state.generation > 0 && waiting.length === 0) await this.#endSharing(state);
    return { more: documents > 0 || trained };
  }

  /** Indexes what the newest small changes made; nothing while it does so. Returns the number of documents. */
  async indexSmall(signal: AbortSignal, held?: OpenTurn): Promise<number> {
    if (this.#isSmall) return 0;
    this.#isSmall = true;
    const startedAt = performance.now();
    const { check, sources } = this.#parts;
    try {
      let documents = 0;
      if (await check.isForeign()) return documents;
      for (const workspaceId of await waitingWorkspaces(sources, { small: true })) {
        const turn = held?.workspaceId === workspaceId ? held : undefined;
        documents += await this.#tryTurn(workspaceId, SMALL, signal, turn);
      }
      return documents;
    } finally {
      this.#isSmall = false;
      this.#smallDueAt = 2 * performance.now() - startedAt;
    }
  }

  /** Between the steps of other work: small changes take half of the time at most, however many are made. */
  async #letSmallIn(turn: OpenTurn, signal: AbortSignal): Promise<void> {
    if (performance.now() >= this.#smallDueAt) await this.indexSmall(signal, turn);
  }

  /** Indexes what waits in a workspace whose lease the caller holds. Returns the number of documents. */
  async indexWorkspace(turn: Turn, signal: AbortSignal): Promise<number> {
    this.#failing.forget(turn.workspaceId); // the caller repaired it
    const claim = this.#batchSize.claim(1, await this.#parts.upkeep.chunks(turn.workspaceId));
    return this.#turn(turn.workspaceId, claim, signal, turn);
  }

  /** Whether a round would find work, or will soon: documents, removals, maintenance, training. */
  async hasWork(): Promise<boolean> {
    const { check, generations, sources, trainer, upkeep } = this.#parts;
    if (await check.isForeign()) return false;
    const { chunker_version, generation } = await generations.state();
    if (isBehind(chunker_version) || generation > 0 || (await this.#drops.hasWork())) return true;
    if ((await upkeep.hasWork()) || (await trainer.hasWork())) return true;
    for (const workspaceId of await waitingWorkspaces(sources)) {
      if ((await check.read(workspaceId)).healthy) return true;
    }
    return false;
  }

  /** Documents of an earlier chunker are indexed again. */
  async #followChunker({ chunker_version }: State): Promise<void> {
    if (!isBehind(chunker_version)) return;
    await using lease = await takeDeploymentLease(this.#parts.leases);
    if (!lease) return;
    for (const source of this.#parts.sources) await source.requeue();
    await this.#parts.generations.recordChunker();
  }

  async #endSharing(state: State): Promise<void> {
    await using lease = await takeDeploymentLease(this.#parts.leases);
    if (lease) await this.#parts.generations.endSharing(state);
  }

  /** A turn whose failure holds no other workspace up. */
  async #tryTurn(workspaceId: string, claim: Claim, signal: AbortSignal, held?: OpenTurn): Promise<number> {
    try {
      return await this.#turn(workspaceId, claim, signal, held);
    } catch (error) {
      if (signal.aborted || isOutage(error)) throw error;
      const level = this.#failing.hasFailed(workspaceId) ? 'debug' : 'error';
      this.#parts.log[level]({ err: error, workspace: workspaceId }, 'indexing of a workspace failed');
      this.#failing.noteFailure(workspaceId);
      return 0;
    }
  }

  /** Claims and indexes documents of a workspace; 0 while another process writes its index, or it is damaged. */
  async #turn(workspaceId: string, claim: Claim, signal: AbortSignal, held?: OpenTurn): Promise<number> {
    const { leases, sources } = this.#parts;
    if (this.#failing.isResting(workspaceId)) return 0;
    await using taken = held ? undefined : await takeIndexLease(leases, workspaceId);
    const lease = held?.lease ?? taken;
    if (!lease) return 0;
    if (this.#failing.has(workspaceId) && !(await this.#open(workspaceId))) return 0;
    let documents = 0;
    for (const source of sources) {
      const claimed = await source.claim({ ...claim, only: workspaceId });
      documents += claimed.length;
      await held?.overtake?.(claimed);
      if (claimed.length === 0) continue;
      if (!(await this.#index(source, { workspaceId, lease }, claimed, signal))) return documents;
    }
    this.#failing.forget(workspaceId); // also where another process did the work that failed
    return documents;
  }

  /** The index that documents of a workspace are written to, made under its lease; undefined where it is damaged. */
  async #open(workspaceId: string): Promise<HealthyIndex | undefined> {
    const index = await this.#parts.check.write(workspaceId);
    if (index.healthy) return index;
    if (!this.#failing.has(workspaceId)) {
      const fields = { reason: index.reason, workspace: workspaceId };
      this.#parts.log.error(fields, 'indexing of a workspace waits for a repair of its index');
    }
    this.#failing.noteDamage(workspaceId);
    return undefined;
  }

  /** Writes batches while the next are prepared, indexes their words, settles them. False: the index is damaged. */
  async #index(
    source: IndexSource,
    turn: Turn,
    claimed: readonly IndexDocument[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const index = await this.#open(turn.workspaceId);
    if (!index) return false;
    const { provided } = this.#parts;
    const known = claimed.flatMap((document) => provided.written(document) ?? []);
    const knownIds = new Set(known.map(({ id }) => id));
    const fresh = claimed.filter(({ id }) => !knownIds.has(id));
    const trigrams = this.#parts.trigrams.add(turn.workspaceId, fresh);
    trigrams.catch(() => undefined); // awaited before anything is settled
    const gathered = new GatheredWrites(
      (made, documents) => writeBatch(made, index, documents, this.#parts),
      () => turn.lease.holds(),
    );
    const overtaken = new Set<string>();
    const overtake = async (newer: readonly IndexDocument[]) => {
      for (const { id } of newer) overtaken.add(id);
      if (newer.length > 0) await gathered.written();
    };
    let at = 0;
    let waiting = fresh.length;
    const next = () => {
      // Small changes are one write: each leaves a fragment in every table, which every search then reads.
      const batch = this.#isSmall ? fresh.slice(at) : this.#batchSize.next(fresh, at);
      at += batch.length;
      return batch;
    };
    try {
      const batches = prepareAhead(next, (batch) => this.#prepare(batch, signal), this.#parts.threads.count);
      for await (const { batch, prepared } of batches) {
        const left = batch.filter(({ id }) => !overtaken.has(id));
        waiting -= batch.length;
        if (left.length === 0) continue;
        const made = left.length === batch.length ? prepared : await this.#prepare(left, signal);
        if (!(await gathered.add(made, left))) break;
        if (waiting > 0) await this.#letSmallIn({ ...turn, overtake }, signal);
      }
    } finally {
      await Promise.allSettled([gathered.written()]); // also the batches before one that threw
      await Promise.allSettled([...gathered.writes, trigrams]); // none goes on after the lease
      await trigrams;
      const written = [{ outcomes: known, rows: 0 }, ...(await Promise.all(gathered.writes))];
      await this.#settle(source, turn, index, written, signal);
    }
    return true;
  }

  async #prepare(batch: readonly IndexDocument[], signal: AbortSignal): Promise<Prepared> {
    const startedAt = performance.now();
    const prepared = await prepare(batch, this.#parts, signal);
    this.#batchSize.prepared(batch, performance.now() - startedAt);
    return prepared;
  }

  async #settle(
    source: IndexSource,
    turn: Turn,
    index: HealthyIndex,
    written: readonly Written[],
    signal: AbortSignal,
  ): Promise<void> {
    const { check, database, generations, log, maintenance, provided, upkeep } = this.#parts;
    const { workspaceId, lease } = turn;
    let all: readonly DocumentOutcome[] = written.flatMap((batch) => batch.outcomes);
    if (all.length === 0) return;
    try {
      await indexText(index.tables, maintenance);
    } catch (error) {
      await check.blame(error, index.place);
      all = failed(all, NOT_FINDABLE, { retryAfterMs: RETRY_MS });
    }
    const outcomes = await provided.complete(index.tables, workspaceId, all, {
      signal,
      between: () => this.#letSmallIn(turn, signal),
    });
    if (!(await lease.holds())) {
      log.warn({ workspace: workspaceId }, 'the lease on an index was lost while it was written');
      await noteUncertainDocuments(
        database,
        workspaceId,
        outcomes.map(({ id }) => id),
      );
      return;
    }
    await upkeep.wrote(
      index,
      written.reduce((sum, { rows }) => sum + rows, 0),
    );
    // A repair has switched generations meanwhile: the new one lacks these rows.
    const now = await generations.writing(workspaceId);
    await source.settle(now.marker === index.place.marker ? outcomes : failed(outcomes, REBUILT));
  }
}

/** Of a later chunker, documents are left to the processes that have it. */
const isBehind = (recorded: string) => Number(recorded) < Number(CHUNKER_VERSION);
