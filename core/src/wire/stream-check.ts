import { ServiceError } from '../errors.js';

/** Intervals in a row in which the checks may find the service unable to answer, as in a restart of its database. */
const UNANSWERED_CHECKS = 3;

/** How soon a check that found no answer is repeated, and how often before the next interval. */
const RETRY_MS = 3_000;
const MAX_RETRIES = 4;

/**
 * The check of an open stream, to be called at intervals: `end` is called where `check` rejects (a credential was revoked),
 * but for UNAVAILABLE only at the fourth interval in a row. Until one is answered, it is repeated every three seconds, so
 * that after an outage nothing is sent for long to a credential that was revoked before. While one runs, the next is left
 * out.
 */
export function streamCheck(
  check: () => Promise<unknown>,
  end: () => void,
  retryMs = RETRY_MS,
): () => Promise<void> {
  let isRunning = false;
  let unanswered = 0;
  let retry: NodeJS.Timeout | undefined;
  const run = async (retriesLeft: number): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    clearTimeout(retry);
    try {
      await check();
      unanswered = 0;
    } catch (thrown) {
      const mayRecover = thrown instanceof ServiceError && thrown.code === 'UNAVAILABLE';
      if (mayRecover && retriesLeft === MAX_RETRIES) unanswered += 1;
      if (!mayRecover || unanswered > UNANSWERED_CHECKS) end();
      else if (retriesLeft > 0) retry = setTimeout(() => void run(retriesLeft - 1), retryMs).unref();
    } finally {
      isRunning = false;
    }
  };
  return () => run(MAX_RETRIES);
}
