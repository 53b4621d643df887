import type { Piscina } from 'piscina';
import { ServiceError } from './errors.js';

/** The thread ended, or its task threw: what it was given may be the reason. `cause`: what was thrown. */
export class ThreadFailure extends Error {}

export interface ThreadOptions {
  /** The module whose exported functions it runs. */
  readonly module: URL;
  /** After so long without a task the thread ends, and its memory is given back. Default: it stays. */
  readonly idleMs?: number;
  /** Heap of the thread in MiB; the process goes on where it ends. Default: that of the process. */
  readonly heapMiB?: number;
  /** The part of the heap for young objects, in MiB. Default: that of V8. */
  readonly youngMiB?: number;
}

/**
 * Of services that have stopped, by what they run: the next one in this process saves the time that loading a thread
 * takes. They keep no process alive.
 */
const spares = new Map<string, Array<Promise<Piscina>>>();

/** A worker thread for work that may hang or exhaust memory: it is replaced after a crash, a timeout or an abort. */
export class Thread {
  readonly #options: ThreadOptions;
  #pool: Promise<Piscina> | undefined;
  #tasks = 0;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs the function of this name, with what the structured clone algorithm takes. Rejects with a {@link ThreadFailure}
   * where it throws, ends the thread or gives no result in `limitMs`, with the reason of the signal, and with UNAVAILABLE
   * after `close`. Each of these ends the thread with all that runs in it.
   */
  async run<Result>(
    name: string,
    task: unknown,
    { limitMs, signal }: { readonly limitMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#closed) throw stoppingError();
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, limitMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#tasks += 1;
    try {
      const pool = await (this.#pool ??= this.#open());
      return (await pool.run(task, { name, signal: stop.signal })) as Result; // as the caller says
    } catch (error) {
      await this.replace();
      signal?.throwIfAborted();
      if (this.#closed) throw stoppingError();
      const reason = stop.signal.aborted ? `no result after ${String(limitMs)} ms` : String(error);
      throw new ThreadFailure(reason, { cause: error });
    } finally {
      this.#tasks -= 1;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Ends the thread; the next task gets a new one. */
  async replace(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.destroy();
  }

  /** Ends the thread, or leaves it to the next service in this process that runs the same. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pool || this.#tasks > 0) return this.replace();
    spares.set(this.#key, [...(spares.get(this.#key) ?? []), this.#pool]);
    this.#pool = undefined;
  }

  get #key(): string {
    return JSON.stringify([this.#options.module.href, this.#options]);
  }

  #open(): Promise<Piscina> {
    return spares.get(this.#key)?.pop() ?? startPool(this.#options);
  }
}

/** How Node.js runs a thread of {@link Thread} or of another pool of piscina. */
export const THREAD_ARGUMENTS = [
  // Else piscina loads the module by require(), and terminating the thread meanwhile ends the whole process (Node 20).
  '--no-experimental-require-module',
  // Packages are resolved as in the process.
  ...process.execArgv.filter((argument) => argument.startsWith('--conditions=')),
];

async function startPool({ module, idleMs, heapMiB, youngMiB }: ThreadOptions): Promise<Piscina> {
  const piscina = await import('piscina'); // commands have no threads
  return new piscina.Piscina({
    filename: module.href,
    execArgv: THREAD_ARGUMENTS,
    maxThreads: 1,
    minThreads: idleMs === undefined ? 1 : 0,
    ...(idleMs !== undefined && { idleTimeout: idleMs }),
    env: {},
    resourceLimits: {
      ...(heapMiB !== undefined && { maxOldGenerationSizeMb: heapMiB }),
      ...(youngMiB !== undefined && { maxYoungGenerationSizeMb: youngMiB }),
    },
  });
}

/** For work that is refused because its service ends. */
export function stoppingError(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is stopping. Try again when it is back.');
}
