import type { ServerResponse } from 'node:http';
import { OpenCount } from '@service-mcp/core/wire';
import { whenClosed } from './event-stream.js';

/** The long-lived event streams of both eras: counted, and ended when their credential is no longer valid. */
export class OpenStreams {
  readonly #checkMs: number;
  readonly #open = new OpenCount();

  /** `checkMs`: the interval of the checks. */
  constructor(checkMs: number) {
    this.#checkMs = checkMs;
  }

  /**
   * Calls `check` at the interval until the response closes, and `end` once it throws. Throws UNAVAILABLE when too many
   * are open.
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
