import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of the work; undefined where it takes longer than `ms`. Neither the limit nor late work holds the process. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController();
  const limit = sleep(ms, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    ended.abort();
  }
}
