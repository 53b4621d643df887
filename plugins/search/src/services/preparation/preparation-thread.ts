import { ServiceError } from '@service-mcp/core';
import type { Piscina } from 'piscina';
import { threadPool } from '../thread-pool.js';
import type { MissingModels, PreparedInThread, PrepareTask } from './prepare-documents.js';

const WORKER = new URL('./prepare-documents.js', import.meta.url);
const IDLE_MS = 10_000;
/** A thread that exceeds one of these is terminated. */
const LIMITS = {
  /** For a batch. */
  batchMs: 30_000,
  /** For one document, beyond the limit of its parse. */
  documentMs: 10_000,
  /** The process goes on where the heap of a thread ends. */
  heapMiB: 512,
};

type Pool = Piscina<PrepareTask, PreparedInThread | MissingModels>;

/**
 * Of services that have stopped, by what they run: the next one in this process saves the second that loading a thread
 * and its grammars takes. Their threads end when idle, and keep no process alive.
 */
const spares = new Map<string, Pool[]>();

/** The thread in which documents take their one pass; replaced after a crash, a timeout or an abort. */
export class PreparationThread {
  #pool: Pool | undefined;
  #tasks = 0;
  #closed = false;
  readonly #limits: typeof LIMITS;
  readonly #worker: URL;

  /** `worker`: the module that a thread runs, with `prepareDocuments`. */
  constructor(limits: Partial<typeof LIMITS> = {}, worker = WORKER) {
    this.#limits = { ...LIMITS, ...limits };
    this.#worker = worker;
  }

  /** Rejects where the thread ended, with the signal's reason, and with UNAVAILABLE after close. */
  async run(task: PrepareTask, signal: AbortSignal): Promise<PreparedInThread | MissingModels> {
    signal.throwIfAborted();
    if (this.#closed) throw stopping();
    const { batchMs, documentMs, heapMiB } = this.#limits;
    this.#pool ??=
      spares.get(this.#spareKey)?.pop() ??
      threadPool(this.#worker, {
        maxThreads: 1,
        idleTimeout: IDLE_MS,
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: heapMiB },
      });
    const limit = task.documents.length === 1 ? task.limits.timeLimitMs + documentMs : batchMs;
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, limit);
    signal.addEventListener('abort', abort, { once: true });
    this.#tasks += 1;
    try {
      const result = await this.#pool.run(task, { name: 'prepareDocuments', signal: stop.signal });
      if ('prepared' in result && result.spent) await this.#retire();
      return result;
    } catch (error) {
      await this.#retire();
      signal.throwIfAborted();
      if (this.#closed) throw stopping();
      throw error;
    } finally {
      this.#tasks -= 1;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pool || this.#tasks > 0) return this.#retire();
    spares.set(this.#spareKey, [...(spares.get(this.#spareKey) ?? []), this.#pool]);
    this.#pool = undefined;
  }

  get #spareKey(): string {
    return `${this.#worker.href} ${String(this.#limits.heapMiB)}`;
  }

  async #retire(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }
}

function stopping(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is stopping. Try again when it is back.');
}
