import type { ServerResponse } from 'node:http';
import { OpenCount } from '@service-mcp/core/wire';
import { whenClosed } from './event-stream.js';

/** The event streams that stay open, of both eras: counted, and ended when their credential is no longer good. */
export class OpenStreams {
  readonly #checkMs: number;
  readonly #open = new OpenCount();

  /** `checkMs`: how often each is looked at. */
  constructor(checkMs: number) {
    this.#checkMs = checkMs;
  }

  /**
   * From here on until the response closes `check` is called again and again, and `end` once it throws.
   * Throws UNAVAILABLE where too many are open.
   */
  add(res: ServerResponse, principal: string, check: () => Promise<void>, end: () => void): void {
    const leave = this.#open.enter(principal);
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
      leave();
    });
  }

  get count(): number {
    return this.#open.count;
  }
}
