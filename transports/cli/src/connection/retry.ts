import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
const ATTEMPTS = 8;

/**
 * Runs `attempt` again after a transient failure: up to eight times over about a minute, waiting 0.25 s and
 * then twice as long each time, up to 15 s, with jitter; longer where the service asked for it (Retry-After, up to 2 minutes).
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
      if (!(thrown instanceof Failure) || !thrown.transient || tried >= ATTEMPTS) throw thrown;
      options.signal.throwIfAborted();
      const backOff = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS) * (0.5 + random() / 2);
      const wait = Math.max(backOff, Math.min(thrown.retryAfterMs ?? 0, 120_000));
      options.onRetry?.(thrown.message, wait);
      await sleep(wait, undefined, { signal: options.signal });
    }
  }
}

/** Retry-After as milliseconds: seconds, or an HTTP date. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
