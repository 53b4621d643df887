import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.js';

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 15_000;
/** The longest wait that a service may ask for. */
const MAX_RETRY_AFTER_MS = 120_000;
const MAX_ATTEMPTS = 8;

/**
 * Retries `attempt` after a transient failure: up to eight times over about a minute, waiting 0.25 s and then twice as
 * long each time, up to 15 s, with jitter; longer where the service asks for it (Retry-After, up to 2 minutes).
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: {
    readonly signal: AbortSignal;
    readonly onRetry?: ((reason: string, waitMs: number) => void) | undefined;
    readonly random?: () => number;
  },
): Promise<T> {
  const random = options.random ?? Math.random;
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !thrown.transient || tried >= MAX_ATTEMPTS) throw thrown;
      options.signal.throwIfAborted();
      const backOff = Math.min(MIN_WAIT_MS * 2 ** (tried - 1), MAX_WAIT_MS) * (0.5 + random() / 2);
      const wait = Math.max(backOff, Math.min(thrown.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
      options.onRetry?.(thrown.message, wait);
      await sleep(wait, undefined, { signal: options.signal });
    }
  }
}
