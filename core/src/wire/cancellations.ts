import type { RpcId } from './rpc.js';

/** Calls in flight, by session and request id, so that `notifications/cancelled` finds the one it means. */
export class Cancellations {
  readonly #running = new Map<string, AbortController>();

  /** Runs `work` with a signal that aborts with `signal` or on {@link cancel}. Without a session nothing can name the call. */
  async run<T>(
    session: string | undefined,
    id: RpcId | undefined,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (session === undefined || id === undefined || id === null) return work(signal);
    const key = keyOf(session, id);
    const controller = new AbortController();
    this.#running.set(key, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    }
  }

  cancel(session: string, id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(keyOf(session, id))?.abort();
  }
}

function keyOf(session: string, id: string | number): string {
  return `${session} ${typeof id} ${id}`; // 1 and "1" are two ids
}
