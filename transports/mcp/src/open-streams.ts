import type { ServerResponse } from 'node:http';
import { ServiceError } from '@service-mcp/core';
import { whenClosed } from './event-stream.js';

/** Event streams that are open in this process at most, and of one principal. */
export const MOST_STREAMS = 10_000;
const MOST_OF_ONE = 1_000;

/** The event streams that stay open, of both eras: counted, and ended when their credential is no longer good. */
export class OpenStreams {
  readonly #checkMs: number;
  readonly #counts = new Map<string, number>();
  #count = 0;

  /** `checkMs`: how often each is looked at. */
  constructor(checkMs: number) {
    this.#checkMs = checkMs;
  }

  /**
   * From here on until the response closes `check` is called again and again, and `end` once it throws.
   * Throws UNAVAILABLE where too many are open.
   */
  add(res: ServerResponse, principal: string, check: () => Promise<void>, end: () => void): void {
    const count = this.#counts.get(principal) ?? 0;
    if (this.#count >= MOST_STREAMS || count >= MOST_OF_ONE) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many event streams are open. Close those that you do not read, then open this one again.',
      );
    }
    this.#count += 1;
    this.#counts.set(principal, count + 1);
    let checking = false;
    const timer = setInterval(() => {
      if (checking) return;
      checking = true;
      void check()
        .catch(end)
        .finally(() => (checking = false));
    }, this.#checkMs).unref();
    whenClosed(res, () => {
      clearInterval(timer);
      this.#count -= 1;
      const left = (this.#counts.get(principal) ?? 0) - 1;
      if (left > 0) this.#counts.set(principal, left);
      else this.#counts.delete(principal);
    });
  }

  get count(): number {
    return this.#count;
  }
}
