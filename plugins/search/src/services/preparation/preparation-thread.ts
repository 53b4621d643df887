import { Thread } from '@service-mcp/core';
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
  /** A third of V8's: what a batch makes lives as long as it. */
  youngMiB: 16,
};

/** The thread in which documents take their one pass. */
export class PreparationThread {
  readonly #thread: Thread;
  readonly #limits: typeof LIMITS;

  /** `module`: what the thread runs, with `prepareDocuments`. */
  constructor(limits: Partial<typeof LIMITS> = {}, module = WORKER) {
    this.#limits = { ...LIMITS, ...limits };
    const { heapMiB, youngMiB } = this.#limits;
    this.#thread = new Thread({ module, idleMs: IDLE_MS, heapMiB, youngMiB });
  }

  /** Rejects as {@link Thread} does. */
  async run(task: PrepareTask, signal: AbortSignal): Promise<PreparedInThread | MissingModels> {
    const { batchMs, documentMs } = this.#limits;
    const limitMs = task.documents.length === 1 ? task.limits.timeLimitMs + documentMs : batchMs;
    const result = await this.#thread.run<PreparedInThread | MissingModels>('prepareDocuments', task, {
      limitMs,
      signal,
    });
    if ('prepared' in result && result.spent) await this.#thread.replace();
    return result;
  }

  get closed(): boolean {
    return this.#thread.closed;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
