import { ServiceError } from '@service-mcp/core';
import { Piscina } from 'piscina';
import type { Task } from '../worker/extract.js';
import type { Extracted } from '../worker/parse-source.js';

/** Time beyond the limit of a text, for starting a thread, loading a grammar and ordering the results. */
const GRACE_MS = 10_000;
const WORKER = new URL('../worker/extract.js', import.meta.url).href;

/**
 * Worker threads that parse one text at a time. Each is a pool of one, started by its first text: a thread can be
 * replaced alone, and the time of a text starts when its thread is free.
 */
export class WorkerThreads {
  readonly #idle: WorkerThread[];
  readonly #all: readonly WorkerThread[];
  readonly #waiting: { take(thread: WorkerThread): void; refuse(reason: unknown): void }[] = [];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, () => new WorkerThread());
    this.#idle = [...this.#all];
  }

  /** Undefined where the thread had to be ended. Rejects with the signal's reason, or UNAVAILABLE after close. */
  async run(task: Task, signal: AbortSignal | undefined): Promise<Extracted | undefined> {
    const thread = await this.#free(signal);
    try {
      return await thread.run(task, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.take(thread);
      else this.#idle.push(thread);
    }
  }

  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(stopping());
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  #free(signal: AbortSignal | undefined): Promise<WorkerThread> {
    const thread = this.#idle.pop();
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting = {
        take: (free: WorkerThread): void => {
          signal?.removeEventListener('abort', stopWaiting);
          resolve(free);
        },
        refuse: (reason: unknown): void => {
          signal?.removeEventListener('abort', stopWaiting);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', stopWaiting, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

/** Of services that have stopped: the next one in this process saves loading a thread and its grammars. They keep no process alive. */
const spares: Piscina<Task, Extracted>[] = [];

class WorkerThread {
  #pool: Piscina<Task, Extracted> | undefined;
  #isBusy = false;
  #closed = false;

  async run(task: Task, signal: AbortSignal | undefined): Promise<Extracted | undefined> {
    signal?.throwIfAborted();
    if (this.#closed) throw stopping();
    const pool = (this.#pool ??=
      spares.pop() ??
      new Piscina({
        filename: WORKER,
        minThreads: 1,
        maxThreads: 1,
        // Otherwise piscina loads the module with require(): a thread that ends meanwhile ends the process (Node 20).
        execArgv: ['--no-experimental-require-module'],
      }));
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(abort, task.limit + GRACE_MS);
    this.#isBusy = true;
    try {
      const extracted = await pool.run(task, { name: 'extract', signal: stop.signal });
      if (extracted.spent) await this.#retire();
      return extracted;
    } catch {
      // An abort, a timeout or a crash of the WASM heap: the next text gets a new thread.
      await this.#retire();
      signal?.throwIfAborted();
      if (this.#closed) throw stopping();
      return undefined;
    } finally {
      this.#isBusy = false;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pool || this.#isBusy) return this.#retire();
    spares.push(this.#pool);
    this.#pool = undefined;
  }

  async #retire(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }
}

export function stopping(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is stopping. Try again when it is back.');
}
