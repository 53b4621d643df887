import { Thread, ThreadFailure, stoppingError } from '@service-mcp/core';
import type { Task } from '../worker/extract.js';
import type { Extracted } from '../worker/parse-source.js';

/** Time beyond the limit of a text, for starting a thread, loading a grammar and ordering the results. */
const GRACE_MS = 10_000;
/** As for a thread that prepares documents. The symbols of 8 MiB of Java fit; the process goes on where a text takes more. */
const HEAP_MIB = 512;
const WORKER = new URL('../worker/extract.js', import.meta.url);

/**
 * Worker threads that parse one text at a time. Each is a pool of one, started by its first text: a thread can be
 * replaced alone, and the time of a text starts when its thread is free.
 */
export class WorkerThreads {
  readonly #idle: Thread[];
  readonly #all: readonly Thread[];
  readonly #waiting: { take(thread: Thread): void; refuse(reason: unknown): void }[] = [];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, () => new Thread({ module: WORKER, heapMiB: HEAP_MIB }));
    this.#idle = [...this.#all];
  }

  /** Undefined where the thread had to be ended. Rejects with the signal's reason, or UNAVAILABLE after close. */
  async run(task: Task, signal: AbortSignal | undefined): Promise<Extracted | undefined> {
    const thread = await this.#free(signal);
    try {
      return await extract(thread, task, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.take(thread);
      else this.#idle.push(thread);
    }
  }

  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(stoppingError());
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  #free(signal: AbortSignal | undefined): Promise<Thread> {
    const thread = this.#idle.pop();
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting = {
        take: (free: Thread): void => {
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

/** Undefined where the thread had to be ended: an abort, a timeout or a crash of the WASM heap. */
async function extract(
  thread: Thread,
  task: Task,
  signal: AbortSignal | undefined,
): Promise<Extracted | undefined> {
  try {
    const limitMs = task.limit + GRACE_MS;
    const extracted = await thread.run<Extracted>('extract', task, { limitMs, signal });
    if (extracted.spent) await thread.replace();
    return extracted;
  } catch (error) {
    if (error instanceof ThreadFailure) return undefined;
    throw error;
  }
}
