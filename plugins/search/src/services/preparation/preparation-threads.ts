import { availableParallelism } from 'node:os';
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

const MAX_DEFAULT_THREADS = 4;

/** One for each processor but one, within bounds: others write what they prepare, resolve the graph, and answer calls. */
export function defaultThreads(): number {
  return Math.max(1, Math.min(MAX_DEFAULT_THREADS, availableParallelism() - 1));
}

/** The threads in which documents take their one pass. A task that ends its thread ends no other. */
export class PreparationThreads {
  readonly #threads: ReadonlyArray<{ readonly thread: Thread; tasks: number }>;
  readonly #limits: typeof LIMITS;

  /** `module`: what a thread runs, with `prepareDocuments`. */
  constructor(count: number, limits: Partial<typeof LIMITS> = {}, module = WORKER) {
    this.#limits = { ...LIMITS, ...limits };
    const { heapMiB, youngMiB } = this.#limits;
    const options = { module, idleMs: IDLE_MS, heapMiB, youngMiB };
    this.#threads = Array.from({ length: count }, () => ({ thread: new Thread(options), tasks: 0 }));
  }

  get count(): number {
    return this.#threads.length;
  }

  /** In the thread with the fewest tasks. Rejects as {@link Thread} does. */
  async run(task: PrepareTask, signal: AbortSignal): Promise<PreparedInThread | MissingModels> {
    const { batchMs, documentMs } = this.#limits;
    const limitMs = task.documents.length === 1 ? task.limits.timeLimitMs + documentMs : batchMs;
    const idlest = this.#threads.reduce((least, each) => (each.tasks < least.tasks ? each : least));
    const { thread } = idlest;
    idlest.tasks += 1;
    try {
      const options = { limitMs, signal };
      const result = await thread.run<PreparedInThread | MissingModels>('prepareDocuments', task, options);
      if ('prepared' in result && result.spent) await thread.replace();
      return result;
    } finally {
      idlest.tasks -= 1;
    }
  }

  get closed(): boolean {
    return this.#threads.every(({ thread }) => thread.closed);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ thread }) => thread.close()));
  }
}
