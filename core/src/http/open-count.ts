import type { Caller } from '../caller.js';
import { ServiceError } from '../errors.js';

/** Event streams of one kind in this process, and of one user: each holds a connection, and over a gateway a second one. */
export const MAX_STREAMS = 10_000;
const MAX_STREAMS_PER_USER = 1_000;

/** Counts the event streams of a kind that are open. */
export class OpenCount {
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** Counts one more of the caller's user until the returned function is called, once. Throws UNAVAILABLE where there are too many. */
  enter({ userId }: Caller): () => void {
    const count = this.#counts.get(userId) ?? 0;
    if (this.#count >= MAX_STREAMS || count >= MAX_STREAMS_PER_USER) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many event streams are open. Close those that you do not read, then open this one again.',
      );
    }
    this.#count += 1;
    this.#counts.set(userId, count + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#counts.get(userId) ?? 0) - 1;
      if (left > 0) this.#counts.set(userId, left);
      else this.#counts.delete(userId);
    };
  }

  get count(): number {
    return this.#count;
  }
}
