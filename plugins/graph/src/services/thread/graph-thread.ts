import { ServiceError } from '@service-mcp/core';
import { Piscina } from 'piscina';
import type { GraphTasks, ParsedTexts, ParseTask, Resolved, ResolveTask } from './graph-tasks.js';

/** The thread ended, or its task threw: what it was given may be the reason. */
export class ThreadFailure extends Error {}

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

/**
 * Of services that have stopped, by what they run: the next one in this process saves the second that loading a thread
 * and its grammars takes. Their threads end when idle, and keep no process alive.
 */
const spares = new Map<string, Piscina[]>();

/** The thread that parses and resolves; replaced after a crash, a timeout or an abort. */
export class GraphThread {
  readonly #worker: URL;
  readonly #limits: ThreadLimits;
  #pool: Piscina | undefined;
  #tasks = 0;
  #closed = false;

  /** `worker`: the module that the thread runs, with the functions of `GraphTasks`. */
  constructor(worker: URL, limits: ThreadLimits) {
    this.#worker = worker;
    this.#limits = limits;
  }

  async parse(task: ParseTask, signal: AbortSignal): Promise<ParsedTexts> {
    const result: ParsedTexts = await this.#run(
      'parseTexts',
      task,
      task.limits.timeLimitMs + BATCH_MS,
      signal,
    );
    if (result.spent) await this.#retire();
    return result;
  }

  addStructures(structures: Parameters<GraphTasks['addStructures']>[0], signal: AbortSignal): Promise<void> {
    return this.#run('addStructures', structures, ADD_MS, signal);
  }

  resolve(task: ResolveTask, limitMs: number, signal: AbortSignal): Promise<Resolved> {
    return this.#run('resolve', task, limitMs, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pool || this.#tasks > 0) return this.#retire();
    spares.set(this.#spareKey, [...(spares.get(this.#spareKey) ?? []), this.#pool]);
    this.#pool = undefined;
  }

  get #spareKey(): string {
    return JSON.stringify([this.#worker.href, this.#limits]);
  }

  /** Rejects with a {@link ThreadFailure}, with the reason of the signal, and with UNAVAILABLE after close. */
  async #run<Result>(
    name: keyof GraphTasks,
    task: unknown,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#closed) throw stopping();
    const { heapMiB, idleMs } = this.#limits;
    this.#pool ??=
      spares.get(this.#spareKey)?.pop() ??
      new Piscina({
        filename: this.#worker.href,
        // Else piscina loads the module by require(), and terminating the thread meanwhile ends the whole process (Node 20).
        execArgv: ['--no-experimental-require-module'],
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: idleMs,
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
      });
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, limitMs);
    signal.addEventListener('abort', abort, { once: true });
    this.#tasks += 1;
    try {
      return (await this.#pool.run(task, { name, signal: stop.signal })) as Result; // the worker has these functions
    } catch (error) {
      await this.#retire();
      signal.throwIfAborted();
      if (this.#closed) throw stopping();
      const reason = stop.signal.aborted ? `no result after ${String(limitMs)} ms` : String(error);
      throw new ThreadFailure(reason, { cause: error });
    } finally {
      this.#tasks -= 1;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
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
