type RequestId = string | number;

/** The requests `subscriptions/listen` of one connection, each until its client takes it back. */
export class Listens {
  readonly #open = new Map<RequestId, AbortController>();

  /** Returns the signal that aborts when this request is over; one of the same id before it is over with this. */
  begin(id: RequestId): AbortSignal {
    this.end(id);
    const ending = new AbortController();
    this.#open.set(id, ending);
    return ending.signal;
  }

  end(id: RequestId): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  close(): void {
    for (const id of this.#open.keys()) this.end(id);
  }
}
