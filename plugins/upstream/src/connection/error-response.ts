import { ERRORS, ServiceError, type ErrorCode } from '@service-mcp/core';
import { unavailable, notTheService } from './connection-errors.js';

/** An HTTP response with an error status. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, at most 64 KiB. */
  readonly text: string;
}

/** The service's error with its code, message and details; else an error by the HTTP status. */
export function errorFromResponse(base: string, { status, headers, text }: ErrorResponse): ServiceError {
  const error = errorInBody(parse(text));
  if (error?.code === 'MISDIRECTED' || (status === 421 && !error)) return misdirected(base);
  if (error) return error;
  switch (status) {
    case 401:
      return new ServiceError(
        'UNAUTHENTICATED',
        'The service needs a credential, or rejected yours. Send an API key of that service.',
        { details: { credential: 'refused' } },
      );
    case 403:
      return forbidden(headers);
    case 413:
      return new ServiceError(
        'PAYLOAD_TOO_LARGE',
        'The request is too large for the service. Send less at a time.',
      );
    case 429:
      return new ServiceError(
        'RATE_LIMITED',
        'The service limits the rate of your calls. Wait, then try again.',
        {
          details: retryDetails(headers),
        },
      );
    case 502:
    case 503:
    case 504:
      return unavailable(base, `a proxy before it responds with HTTP ${status}`);
    default:
      if (status >= 300 && status < 400)
        return notTheService(
          base,
          `redirects (HTTP ${status}), which is not followed because it would forward a credential`,
        );
      return notTheService(base, `responds with HTTP ${status}`);
  }
}

/** The error in a response body: JSON-RPC, envelope, or the format of the compatibility routes. */
export function errorInBody(body: unknown): ServiceError | undefined {
  if (!isRecord(body) || !isRecord(body['error'])) return undefined;
  const { message, code, data, details } = body['error'];
  const fields = isRecord(data) ? data : { code, details };
  return serviceError(fields['code'], message, fields['details']);
}

/** An error of the error table; undefined for an unknown code. */
export function serviceError(code: unknown, message: unknown, details: unknown): ServiceError | undefined {
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code) || typeof message !== 'string')
    return undefined;
  return new ServiceError(code as ErrorCode, message, isRecord(details) ? { details } : {}); // a key of ERRORS
}

function misdirected(base: string): ServiceError {
  const { host } = new URL(base);
  return new ServiceError(
    'MISDIRECTED',
    `The service at ${base} does not accept the host name ${host}. Correct SERVICE_API_URL of the gateway, or ask the service's operator to add ${host} to SERVICE_ALLOWED_HOSTS.`,
  );
}

const SCOPE = /(?:^|[\s,])scope="([\w:.* -]{1,500})"/;

function forbidden(headers: Headers): ServiceError {
  const scope = SCOPE.exec(headers.get('www-authenticate') ?? '')?.[1];
  const message =
    scope === undefined
      ? 'The service denies this call. Use a credential with permission.'
      : `The service requires the scope ${scope}. Use a credential that has it.`;
  return new ServiceError('PERMISSION_DENIED', message, scope === undefined ? {} : { details: { scope } });
}

function retryDetails(headers: Headers): Readonly<Record<string, unknown>> {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retry_after_seconds: seconds } : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
