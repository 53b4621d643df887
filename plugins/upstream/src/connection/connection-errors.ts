import { ServiceError } from '@service-mcp/core';

/** Codes of connections that failed before anything was sent. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its port',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ETIMEDOUT: 'it does not accept the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept the connection',
};

/** Error of a request without a response. Network error text never reaches a caller. */
export function connectionError(base: string, thrown: unknown): ServiceError {
  const code = codeOf(thrown);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return timeoutError(base);
  const reason = REASONS[code ?? ''] ?? (isCertificate(code) ? 'its TLS certificate is invalid' : undefined);
  if (reason !== undefined) return unavailable(base, reason, thrown);
  return new ServiceError(
    'UNAVAILABLE',
    `The connection to the service at ${base} broke before its response, so the call may have been executed. Check before you repeat a change.`,
    { cause: thrown },
  );
}

/** UNAVAILABLE: nothing was executed. */
export function unavailable(base: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `The service at ${base} is unavailable: ${reason}. Try again in a moment; if the problem persists, start the service or correct SERVICE_API_URL of the gateway.`,
    { cause },
  );
}

/** UNAVAILABLE: the server at the address does not behave like the service. */
export function notTheService(base: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `The server at ${base} ${what}: it is not the service, or a proxy interferes. Correct SERVICE_API_URL of the gateway.`,
    { cause },
  );
}

export function timeoutError(base: string): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    `The service at ${base} did not respond in time, so the call may have been executed. Check before you repeat a change.`,
  );
}

/** Error of a call aborted on this side: the signal's reason, or else cancellation or deadline. */
export function abortError(base: string, signal: AbortSignal): ServiceError {
  const reason: unknown = signal.reason;
  if (reason instanceof ServiceError) return reason;
  if (!(reason instanceof Error && reason.name === 'AbortError')) return timeoutError(base);
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The call was cancelled; the service may have executed it. Check before you repeat a change.',
  );
}

/** The first error code in the chain of causes. */
function codeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError) return codeOf(error.errors[0]); // one error per address of a host name
  }
  return undefined;
}

function isCertificate(code = ''): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code);
}
