type RequestId = string | number;

/** The `subscriptions/listen` requests of one connection, each open until its client cancels it. */
export class OpenSubscriptions {
  readonly #open = new Map<RequestId, AbortController>();

  /** Returns a signal that aborts when the subscription ends. An open one of the same id ends now. */
  open(id: RequestId): AbortSignal {
    this.close(id);
    const controller = new AbortController();
    this.#open.set(id, controller);
    return controller.signal;
  }

  close(id: RequestId): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const id of this.#open.keys()) this.close(id);
  }
}
