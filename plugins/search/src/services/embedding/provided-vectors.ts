import type { Log } from '@service-mcp/core';
import type { DocumentOutcome, Embedder, IndexDocument } from '../../contract.js';
import { vectorsToArrow } from '../index/arrow-batch.js';
import type { IndexBatch, IndexTables } from '../index/index-tables.js';
import type { PreparedBatch } from '../prepare.js';
import { embedDocuments, findVectors } from './embed-documents.js';
import { ProviderFailure } from '../models/provider-failure.js';
import type { Spaces, WritingEmbedders } from './spaces.js';

/** Documents embedded in one step. */
const BATCH = 64;
/** A document whose vectors are owed is looked at again after this, or when the provider says. */
const MIN_RETRY_MS = 500;
const MAX_OWED = 100_000;
const REFUSED =
  'The embedding provider refuses the text of this document; the log of the service has the cause.';
const AWAY =
  'The embedding provider does not answer; the document is found by keyword and pattern meanwhile.';

interface Owed {
  readonly revision: number;
  readonly chunks: number;
}

/**
 * The vectors that a provider makes. They are made after a document is written and found by keyword and pattern: a provider
 * that is slow or away holds nothing up but the status of the document, which is `indexed` once it has its vectors.
 */
export class ProvidedVectors {
  readonly #spaces: Pick<Spaces, 'writing'>;
  readonly #log: Log;
  /** Documents that are written and wait for their vectors. A process that starts writes them once more. */
  readonly #owed = new Map<string, Owed>();

  constructor(spaces: Pick<Spaces, 'writing'>, log: Log) {
    this.#spaces = spaces;
    this.#log = log;
  }

  /** The outcome of a claimed document that is written already and lacks vectors alone; undefined for all others. */
  written({ id, revision, removed }: IndexDocument): DocumentOutcome | undefined {
    const owed = this.#owed.get(id);
    if (removed || owed?.revision !== revision) return undefined;
    return { id, revision, status: 'indexed', chunks: owed.chunks };
  }

  /** A batch before it is written, with the vectors that the index has of its texts. */
  async reuse(
    tables: IndexTables,
    batch: PreparedBatch,
    documents: readonly IndexDocument[],
  ): Promise<IndexBatch> {
    const [first] = documents;
    if (!first || batch.passages.length === 0) return batch;
    const { provided } = await this.#spaces.writing(first.workspaceId);
    const hashes = documents.map(({ sha256 }) => sha256);
    const known = await findVectors(tables, provided, batch.passages, hashes);
    return { ...batch, vectors: [...batch.vectors, ...vectorsToArrow(known)] };
  }

  /**
   * Makes the vectors of written documents. The outcome of one that lacks them is to try again. `between` runs between
   * batches, since a provider may be slow.
   */
  async complete(
    tables: IndexTables,
    workspaceId: string,
    outcomes: readonly DocumentOutcome[],
    { signal, between }: { readonly signal: AbortSignal; readonly between: () => Promise<unknown> },
  ): Promise<readonly DocumentOutcome[]> {
    const embedders = await this.#spaces.writing(workspaceId);
    if (embedders.provided.length === 0 && !embedders.owed) return outcomes;
    const settled: DocumentOutcome[] = [];
    let failure = embedders.owed;
    for (let at = 0; at < outcomes.length; at += BATCH) {
      if (at > 0 && !failure) await between();
      const some = outcomes.slice(at, at + BATCH);
      failure ??= await this.#embed(tables, embedders, some, signal);
      if (failure?.refused) {
        failure = undefined;
        for (const outcome of some) {
          const alone = await this.#embed(tables, embedders, [outcome], signal);
          settled.push(this.#settle(outcome, alone));
          if (alone && !alone.refused) failure = alone;
        }
      } else for (const outcome of some) settled.push(this.#settle(outcome, failure));
    }
    return settled;
  }

  /** The failure of the provider that the configuration names; one of a former configuration does not count. */
  async #embed(
    tables: IndexTables,
    { provided, wanted }: WritingEmbedders,
    outcomes: readonly DocumentOutcome[],
    signal: AbortSignal,
  ): Promise<ProviderFailure | undefined> {
    const ids = outcomes.filter(({ status }) => status === 'indexed').map(({ id }) => id);
    let failure: ProviderFailure | undefined;
    for (const embedder of ids.length > 0 ? provided : []) {
      const failed = await this.#tryEmbed(tables, embedder, ids, signal);
      if (embedder.spaceId === wanted) failure = failed;
    }
    return failure;
  }

  async #tryEmbed(
    tables: IndexTables,
    embedder: Embedder,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ProviderFailure | undefined> {
    try {
      await embedDocuments(tables, embedder, ids, signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      const fields = { reason: error.message, model: embedder.model, documents: ids.length };
      this.#log.warn(fields, 'the embedding provider gave no vectors');
      return error;
    }
  }

  #settle(outcome: DocumentOutcome, failure: ProviderFailure | undefined): DocumentOutcome {
    const { id, revision } = outcome;
    this.#owed.delete(id);
    if (!failure || outcome.status !== 'indexed' || outcome.chunks === 0) return outcome;
    if (failure.refused) return { id, revision, status: 'failed', error: REFUSED };
    if (this.#owed.size < MAX_OWED) this.#owed.set(id, { revision, chunks: outcome.chunks });
    const retryAfterMs = Math.max(failure.retryAfterMs, MIN_RETRY_MS);
    return { id, revision, status: 'failed', error: AWAY, retryAfterMs };
  }
}
