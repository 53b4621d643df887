import { Thread } from '@service-mcp/core';
import type { GraphTasks, ParsedTexts, ParseTask, Resolved, ResolveTask } from './graph-tasks.js';

export interface ThreadLimits {
  /** Heap of the thread; the process goes on where it ends. */
  readonly heapMiB: number;
  /** After so long without a task the thread ends, and its memory is given back. */
  readonly idleMs: number;
}

/** How long a batch of texts takes at most, beyond the time limit of one parse. */
const BATCH_MS = 30_000;
const ADD_MS = 60_000;
/** A quarter of V8's: almost all that a resolution makes lives as long as it, and no time is saved by more. */
const YOUNG_MIB = 12;

/** The thread that parses and resolves. Rejects as {@link Thread} does. */
export class GraphThread {
  readonly #thread: Thread;

  /** `module`: what the thread runs, with the functions of `GraphTasks`. */
  constructor(module: URL, limits: ThreadLimits) {
    this.#thread = new Thread({ module, ...limits, youngMiB: YOUNG_MIB });
  }

  async parse(task: ParseTask, signal: AbortSignal): Promise<ParsedTexts> {
    const limitMs = task.limits.timeLimitMs + BATCH_MS;
    const result: ParsedTexts = await this.#run('parseTexts', task, limitMs, signal);
    if (result.spent) await this.#thread.replace();
    return result;
  }

  addStructures(structures: Parameters<GraphTasks['addStructures']>[0], signal: AbortSignal): Promise<void> {
    return this.#run('addStructures', structures, ADD_MS, signal);
  }

  resolve(task: ResolveTask, limitMs: number, signal: AbortSignal): Promise<Resolved> {
    return this.#run('resolve', task, limitMs, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #run<Result>(name: keyof GraphTasks, task: unknown, limitMs: number, signal: AbortSignal): Promise<Result> {
    return this.#thread.run(name, task, { limitMs, signal });
  }
}
