import { ServiceError } from '@service-mcp/core';
import { Piscina } from 'piscina';
import type { Task } from '../worker/extract.js';
import type { Extracted } from '../worker/source.js';

/** Milliseconds beyond the limit of a text for starting a thread, loading a grammar and placing symbols. */
const GRACE = 10_000;
const WORKER = new URL('../worker/extract.js', import.meta.url).href;

/**
 * Worker threads that take one text at a time. Each is a pool of one, started by its first text, so that a thread
 * whose text ran out of time can be replaced alone, and the clock of a text starts when its thread is free.
 */
export class Lanes {
  readonly #idle: Lane[];
  readonly #all: readonly Lane[];
  readonly #waiting: { take(lane: Lane): void; refuse(reason: unknown): void }[] = [];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, () => new Lane());
    this.#idle = [...this.#all];
  }

  /** Undefined where the text cost its thread its life. Rejects with the signal's reason, or UNAVAILABLE at close. */
  async run(task: Task, signal: AbortSignal | undefined): Promise<Extracted | undefined> {
    const lane = await this.#free(signal);
    try {
      return await lane.run(task, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.take(lane);
      else this.#idle.push(lane);
    }
  }

  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(stopping());
    await Promise.all(this.#all.map((lane) => lane.close()));
  }

  #free(signal: AbortSignal | undefined): Promise<Lane> {
    const lane = this.#idle.pop();
    if (lane) return Promise.resolve(lane);
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting = {
        take: (free: Lane): void => {
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

class Lane {
  #pool: Piscina<Task, Extracted> | undefined;
  #closed = false;

  async run(task: Task, signal: AbortSignal | undefined): Promise<Extracted | undefined> {
    signal?.throwIfAborted();
    if (this.#closed) throw stopping();
    const pool = (this.#pool ??= new Piscina({
      filename: WORKER,
      minThreads: 1,
      maxThreads: 1,
      // Else piscina loads the module by require(), and a thread ended meanwhile takes the whole process with it (Node 20).
      execArgv: ['--no-experimental-require-module'],
    }));
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(abort, task.limit + GRACE);
    try {
      const extracted = await pool.run(task, { name: 'extract', signal: stop.signal });
      if (extracted.spent) await this.#retire();
      return extracted;
    } catch {
      // Whatever ended it, an abort, the clock, or a crash of the WASM heap: the next text gets a new thread.
      await this.#retire();
      signal?.throwIfAborted();
      if (this.#closed) throw stopping();
      return undefined;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#retire();
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
