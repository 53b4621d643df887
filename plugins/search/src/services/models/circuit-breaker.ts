import { ProviderFailure } from './provider-failure.js';

/** Failures in a row that open the circuit. */
const MAX_FAILURES = 3;

/**
 * Leaves a provider alone that fails: after three failures in a row, or one that asks for a wait, nothing is sent for
 * `openMs`; then one call is let through, and its outcome decides.
 */
export class CircuitBreaker {
  readonly #openMs: number;
  #failures = 0;
  #openUntil = 0;
  #isTrying = false;
  #reason = '';

  constructor(openMs: number) {
    this.#openMs = openMs;
  }

  /** Milliseconds until the next call is let through; 0 while the circuit is closed. */
  get waitMs(): number {
    return Math.max(0, this.#openUntil - performance.now());
  }

  /** True from the failures that open the circuit until a call succeeds. */
  get isOpen(): boolean {
    return this.#openUntil > 0;
  }

  /** Throws ProviderFailure at once while the circuit is open. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isTrial = this.isOpen;
    if (this.waitMs > 0 || (isTrial && this.#isTrying)) {
      const retryAfterMs = Math.max(this.waitMs, 100);
      const seconds = Math.ceil(retryAfterMs / 1000);
      throw new ProviderFailure(`${this.#reason} (it failed before, and is left alone for ${seconds} s)`, {
        retryAfterMs,
        wasSent: false,
      });
    }
    this.#isTrying = isTrial;
    try {
      const result = await work();
      this.#failures = 0;
      this.#openUntil = 0;
      return result;
    } catch (error) {
      // A refused text says nothing about the provider, and neither does a caller that went away.
      if (!(error instanceof ProviderFailure) || error.refused) throw error;
      this.#failures += 1;
      if (this.#failures < MAX_FAILURES && error.retryAfterMs === 0 && !isTrial) throw error;
      const retryAfterMs = Math.max(error.retryAfterMs, this.#openMs);
      this.#openUntil = performance.now() + retryAfterMs;
      this.#reason = error.message;
      const { message, status, mayHaveReplied, tokens, cause } = error;
      throw new ProviderFailure(message, {
        ...(status !== undefined && { status }),
        mayHaveReplied,
        tokens,
        retryAfterMs,
        cause,
      });
    } finally {
      if (isTrial) this.#isTrying = false;
    }
  }
}
