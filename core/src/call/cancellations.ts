import { anySignal, LazyAbort } from '../abort.js';
import { amendCall } from '../call.js';
import type { CallContext } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { RpcId } from '../wire/rpc.js';

/** Calls in progress by session and request id, so that `notifications/cancelled` finds its call. */
export class Cancellations {
  readonly #running = new Map<string, LazyAbort>();

  /**
   * Runs `work` with a call whose signal {@link cancel} aborts too, and a function that tells whether it was cancelled.
   * A call outside a session cannot be cancelled.
   */
  async run<T>(
    call: CallContext,
    id: RpcId | undefined,
    work: (call: CallContext, isCancelled: () => boolean) => Promise<T>,
  ): Promise<T> {
    const { session } = call;
    if (session === undefined || id === undefined || id === null) return work(call, () => false);
    const key = keyOf(session, id);
    const own = new LazyAbort();
    this.#running.set(key, own);
    const signal = anySignal(
      () => call.signal,
      () => own.signal,
    );
    try {
      return await work(amendCall(call, {}, signal), () => own.aborted);
    } finally {
      if (this.#running.get(key) === own) this.#running.delete(key);
    }
  }

  cancel(session: string, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const reason = new ServiceError('DEADLINE_EXCEEDED', 'The client cancelled this call.');
    this.#running.get(keyOf(session, id))?.abort(reason);
  }
}

function keyOf(session: string, id: string | number): string {
  return `${session} ${typeof id} ${id}`; // 1 and "1" are two ids
}
