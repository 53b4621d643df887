/**
 * Lets so many pieces of work run at once; others wait in order. The engine below has no bound of its own: fifty
 * semantic searches at once took 1.5 GB that it never gave back, and none of them ended sooner for it.
 */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Rejects with the signal's reason where that came before the turn. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#running < this.#most) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve)); // whoever ends hands its turn on
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
