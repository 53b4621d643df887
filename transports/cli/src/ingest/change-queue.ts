import { ChangeScope } from './change-scope.js';

/** Changes are taken once nothing more has changed for this long, */
const QUIET_MS = 200;
/** but after this long at the latest. */
const MAX_WAIT_MS = 1_000;
/**
 * From this number of paths on, the whole folder is compared: that costs less than to visit each, and finds what the
 * system may have dropped from a long queue of events.
 */
const MAX_PATHS = 1_000;

/** Collects changed paths into few scopes. */
export class ChangeQueue {
  #scope = new ChangeScope();
  #firstAt = 0;
  #lastAt = 0;
  #wake: () => void = () => undefined;

  /** The empty path stands for the whole folder. */
  add(path: string): void {
    const now = performance.now();
    if (this.#scope.size === 0) this.#firstAt = now;
    this.#lastAt = now;
    if (this.#scope.size >= MAX_PATHS) this.#scope = ChangeScope.whole();
    if (!this.#scope.isWhole) this.#scope.add(path);
    this.#wake();
  }

  /** Takes what has changed; waits for it, and for a pause. Undefined once `signal` aborts. */
  async next(signal: AbortSignal): Promise<ChangeScope | undefined> {
    for (let wait = this.#wait(); wait > 0 && !signal.aborted; wait = this.#wait()) {
      await new Promise<void>((resolve) => {
        const timer = wait === Infinity ? undefined : setTimeout(resolve, wait);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      }).finally(() => signal.removeEventListener('abort', this.#wake));
    }
    if (signal.aborted) return undefined;
    const taken = this.#scope;
    this.#scope = new ChangeScope();
    return taken;
  }

  /** Milliseconds until the collected changes are due. */
  #wait(): number {
    if (this.#scope.size === 0) return Infinity;
    const now = performance.now();
    return Math.min(this.#lastAt + QUIET_MS, this.#firstAt + MAX_WAIT_MS) - now;
  }
}
