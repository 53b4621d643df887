/** An abort whose signal is made when it is first asked for. */
export class LazyAbort {
  #reason: unknown;
  #aborted = false;
  #controller: AbortController | undefined;

  /** The first reason stays. */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Tells without making the signal. */
  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** A signal that aborts when any of these does, made once, when it is first asked for. */
export function anySignal(...makers: ReadonlyArray<() => AbortSignal>): () => AbortSignal {
  let made: AbortSignal | undefined;
  return () => (made ??= AbortSignal.any(makers.map((make) => make())));
}

/** Turns of the microtask queue that a call takes whose handler waits for nothing. */
const QUICK_TURNS = 8;

/** Rejects when the call is aborted before its work has ended; the work itself sees the same signal and ends when it can. */
export async function untilAborted<T>(work: Promise<T>, call: { readonly signal: AbortSignal }): Promise<T> {
  const state = { settled: false };
  const settle = () => {
    state.settled = true;
  };
  work.then(settle, settle);
  for (let turn = 0; turn < QUICK_TURNS && !state.settled; turn += 1) await Promise.resolve();
  if (state.settled) return work; // the common quick call needs no signal at all
  const { signal } = call;
  signal.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
