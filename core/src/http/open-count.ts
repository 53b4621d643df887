import { ServiceError } from '../errors.js';

/** Event streams of one kind in this process, and of one principal: each holds a connection, and over a gateway a second one. */
export const MAX_STREAMS = 10_000;
const MAX_STREAMS_PER_PRINCIPAL = 1_000;

/** Counts the event streams of a kind that are open. */
export class OpenCount {
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** Counts one more until the returned function is called, once. Throws UNAVAILABLE where there are too many. */
  enter(principal: string): () => void {
    const count = this.#counts.get(principal) ?? 0;
    if (this.#count >= MAX_STREAMS || count >= MAX_STREAMS_PER_PRINCIPAL) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many event streams are open. Close those that you do not read, then open this one again.',
      );
    }
    this.#count += 1;
    this.#counts.set(principal, count + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#counts.get(principal) ?? 0) - 1;
      if (left > 0) this.#counts.set(principal, left);
      else this.#counts.delete(principal);
    };
  }

  get count(): number {
    return this.#count;
  }
}
