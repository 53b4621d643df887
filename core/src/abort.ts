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
