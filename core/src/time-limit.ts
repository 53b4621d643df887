/**
 * A signal that aborts with a `TimeoutError` after `ms`, or as soon as one of `signals` does, with its reason. It holds no
 * process. Not `AbortSignal.any` with `AbortSignal.timeout`: Node 20 collects a timeout that nothing else refers to, and
 * what waits for it waits without limit.
 */
export function timeLimit(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = new AbortController();
  const expire = () =>
    limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  setTimeout(expire, ms).unref(); // the timer holds what it ends
  return AbortSignal.any([...signals, limit.signal]);
}
