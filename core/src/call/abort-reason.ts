import { ServiceError } from '../errors.js';

/** What an aborted call fails with: the reason if it is a ServiceError, else that the client or the time is gone. */
export function abortReason(thrown: unknown, call: { readonly signal: AbortSignal }): unknown {
  if (thrown instanceof ServiceError) return thrown;
  const { signal } = call;
  if (!signal.aborted) return thrown;
  if (signal.reason instanceof ServiceError) return signal.reason;
  if (thrown !== signal.reason && !(thrown instanceof Error && thrown.name === 'AbortError')) return thrown;
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The call was given up: it was cancelled or took too long. Ask for less and try again.',
    { cause: thrown },
  );
}
