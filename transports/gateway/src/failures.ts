import { ServiceError, type ErrorCode, type Headers } from '@service-mcp/core';
import { systemCode, unconnectedReason } from '@service-mcp/core/wire';

/** Error of a request without a response. Network error text never reaches a caller. */
export function connectionError(base: string, thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const code = systemCode(thrown) ?? '';
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return perhapsExecuted('DEADLINE_EXCEEDED', `The service at ${base} did not respond in time`);
  const reason = unconnectedReason(code);
  return reason === undefined ? broken(base, thrown) : unavailable(base, reason, thrown);
}

export function broken(base: string, cause?: unknown): ServiceError {
  const what = `The connection to the service at ${base} broke before its response`;
  return perhapsExecuted('UNAVAILABLE', what, cause);
}

function perhapsExecuted(code: ErrorCode, what: string, cause?: unknown): ServiceError {
  const remedy = 'so the call may have been executed. Check before you repeat a change.';
  return new ServiceError(code, `${what}, ${remedy}`, { cause });
}

/** UNAVAILABLE: nothing was executed. */
export function unavailable(base: string, reason: string, cause?: unknown): ServiceError {
  const remedy =
    'Try again in a moment; if the problem persists, start the service or correct SERVICE_API_URL of the gateway.';
  return new ServiceError('UNAVAILABLE', `The service at ${base} is unavailable: ${reason}. ${remedy}`, {
    cause,
  });
}

/** Every failure of the service is JSON. */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Failures of a proxy before the service that say what the caller can do. */
const OF_PROXY: Readonly<Record<number, readonly [ErrorCode, string, object?]>> = {
  401: [
    'UNAUTHENTICATED',
    'The service needs a credential, or rejected yours. Send an API key of that service.',
    { details: { credential: 'refused' } },
  ],
  403: ['PERMISSION_DENIED', 'A proxy before the service denies this call.'],
  413: ['PAYLOAD_TOO_LARGE', 'The request is too large for the service. Send less.'],
  429: ['RATE_LIMITED', 'The service limits the rate of your calls. Wait, then try again.'],
};

/** The error for a response that is not the service's own: a redirect, a page, a failure without JSON. */
export function foreignResponse(base: string, status: number, headers: Headers): ServiceError | undefined {
  const type = String(headers['content-type'] ?? '');
  if (status === 421) {
    const { host } = new URL(base);
    const remedy = `Correct SERVICE_API_URL of the gateway, or ask the service's operator to add ${host} to SERVICE_ALLOWED_HOSTS.`;
    const what = `The service at ${base} does not accept the host name ${host}.`;
    return new ServiceError('MISDIRECTED', `${what} ${remedy}`);
  }
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const isOwn = status >= 400 ? JSON_TYPE.test(type) : !isRedirect && !/^text\/html\b/i.test(type);
  if (isOwn) return undefined;
  const ofProxy = OF_PROXY[status];
  if (ofProxy) return new ServiceError(...ofProxy);
  const answered = `responds with HTTP ${status}`;
  if (status >= 502 && status <= 504) return unavailable(base, `a proxy before it ${answered}`);
  const redirected = `redirects (HTTP ${status}), which is not followed because it would forward a credential`;
  const what = isRedirect ? redirected : status < 400 ? 'does not send JSON' : answered;
  return new ServiceError(
    'UNAVAILABLE',
    `The server at ${base} ${what}: it is not the service, or a proxy interferes. Correct SERVICE_API_URL of the gateway.`,
  );
}
