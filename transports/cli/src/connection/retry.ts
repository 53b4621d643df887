import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.js';

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 15_000;
/** The longest wait that a service may ask for. */
const MAX_RETRY_AFTER_MS = 120_000;
const MAX_ATTEMPTS = 8;
const FIRST_ANSWER_MS = 60_000;
const MAX_ANSWER_MS = 240_000;
/** Of one of several requests that share the network. */
const MIN_BYTES_PER_SECOND = 32 * 1024;

/**
 * Retries `attempt` after a transient failure: up to eight times over about a minute, waiting 0.25 s and then twice as
 * long each time, up to 15 s, with jitter; longer where the service asks for it (Retry-After, up to 2 minutes). `attempt`
 * gets the number of attempts before it.
 */
export async function withRetries<T>(
  attempt: (before: number) => Promise<T>,
  options: {
    readonly signal: AbortSignal;
    readonly onRetry?: ((reason: string, waitMs: number) => void) | undefined;
    readonly random?: () => number;
  },
): Promise<T> {
  const random = options.random ?? Math.random;
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(tried - 1);
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

/**
 * Retries a request, also where no answer comes: a network that drops packets closes no connection. `once` calls `answered`
 * when an answer begins: one that comes slowly is taken. `bytes` are sent with it, `late` makes the failure from its reason.
 * With an `attempt` it is tried once, as that one.
 */
export function repeated<T>(
  once: (until: AbortSignal, answered: () => void) => Promise<T>,
  options: Parameters<typeof withRetries>[1] & {
    readonly late: (reason: string, cause: unknown) => Failure;
    readonly bytes?: number;
    readonly attempt?: number | undefined;
    readonly firstAnswerMs?: number;
  },
): Promise<T> {
  const { attempt, bytes = 0, firstAnswerMs, late, signal } = options;
  const limited = async (before: number): Promise<T> => {
    const ms = answerLimit(before, bytes, firstAnswerMs);
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), ms);
    const answered = (): void => clearTimeout(timer);
    try {
      return await once(AbortSignal.any([signal, silence.signal]), answered);
    } catch (thrown) {
      if (!silence.signal.aborted || signal.aborted) throw thrown;
      throw late(`it did not answer within ${ms / 1000} s`, thrown).with({ transient: true });
    } finally {
      answered();
    }
  };
  return attempt === undefined ? withRetries(limited, options) : limited(attempt);
}

/**
 * How long an answer is awaited: one minute at first and twice as long each time, up to four, since a service may be set to
 * take longer for a call; and the time that a slow network needs for the bytes that are sent.
 */
export function answerLimit(before: number, bytes: number, firstAnswerMs = FIRST_ANSWER_MS): number {
  const sending = Math.ceil(bytes / MIN_BYTES_PER_SECOND) * 1000;
  return Math.min(firstAnswerMs * 2 ** before, MAX_ANSWER_MS) + sending;
}
