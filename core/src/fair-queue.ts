import { ServiceError } from './errors.js';

/** Whose work a task is. */
export interface Share {
  readonly workspaceId: string;
  /** Absent where the user is not known: the workspace alone counts then. */
  readonly userId?: string | undefined;
}

export interface FairQueueLimits {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Of them, the most of one workspace, and of one user: what is left over starts at once for others. */
  readonly share: number;
  /** Tasks of one user, or of one workspace without a known user, that may wait. */
  readonly waiting: number;
}

interface Waiting {
  readonly keys: readonly string[];
  readonly start: () => void;
}

/** When a refused caller should ask again, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Runs tasks, a bounded number at the same time. The next one is of the workspace, then of the user, that was served
 * longest ago, so that nobody waits behind all that somebody else has asked for.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #waiting = new Set<Waiting>();
  readonly #running = new Map<string, number>();
  /** The turn in which each key was served last, of those that wait or run. */
  readonly #served = new Map<string, number>();
  #active = 0;
  #turn = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * The result of the task, once it had its turn. Throws RATE_LIMITED where too many tasks of the user wait already, and
   * the signal's reason where it is aborted before the turn.
   */
  async run<T>({ workspaceId, userId }: Share, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const keys = [`workspace ${workspaceId}`, ...(userId === undefined ? [] : [`user ${userId}`])];
    if (!this.#mayStart(keys) || this.#waiting.size > 0) await this.#wait(keys, signal);
    else this.#begin(keys);
    try {
      return await task();
    } finally {
      this.#end(keys);
    }
  }

  #wait(keys: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const own = keys.at(-1);
    const already = [...this.#waiting].filter((other) => other.keys.at(-1) === own).length;
    if (already >= this.#limits.waiting)
      throw new ServiceError(
        'RATE_LIMITED',
        `${already} of your calls wait already. Wait for their answers before you send more.`,
        { details: { limit: this.#limits.waiting, retry_after: RETRY_AFTER_SECONDS } },
      );
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(waiting);
        this.#forget(keys);
        reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const waiting = { keys, start };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', abort, { once: true });
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.delete(next);
      this.#begin(next.keys);
      next.start();
    }
  }

  /** Of those that may start, the one whose workspace, then user, was served longest ago; then the one that came first. */
  #next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (this.#mayStart(waiting.keys) && (!best || this.#isBefore(waiting.keys, best.keys))) best = waiting;
    }
    return best;
  }

  #isBefore(keys: readonly string[], others: readonly string[]): boolean {
    for (const [at, key] of keys.entries()) {
      const difference = (this.#served.get(key) ?? 0) - (this.#served.get(others[at] ?? '') ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  #mayStart(keys: readonly string[]): boolean {
    const { concurrency, share } = this.#limits;
    return this.#active < concurrency && keys.every((key) => (this.#running.get(key) ?? 0) < share);
  }

  #begin(keys: readonly string[]): void {
    this.#active += 1;
    this.#turn += 1;
    for (const key of keys) {
      this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
      this.#served.set(key, this.#turn);
    }
  }

  #end(keys: readonly string[]): void {
    this.#active -= 1;
    for (const key of keys) {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    }
    this.#startWaiting();
    this.#forget(keys);
  }

  /** Forgets keys that nothing waits or runs for. */
  #forget(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.#running.has(key)) continue;
      if (![...this.#waiting].some((waiting) => waiting.keys.includes(key))) this.#served.delete(key);
    }
  }
}
