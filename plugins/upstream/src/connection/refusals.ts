import { ERRORS, ServiceError, type ErrorCode } from '@service-mcp/core';
import { away, notTheService } from './failures.js';

/** An answer of HTTP that is no success. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** At most 64 KiB of it. */
  readonly text: string;
}

/** The failure that the service answered with: its own code, message and details where it told them, else by the status. */
export function refusalOf(base: string, { status, headers, text }: Refusal): ServiceError {
  const told = errorIn(parse(text));
  if (told?.code === 'MISDIRECTED' || (status === 421 && !told)) return misdirected(base);
  if (told) return told;
  switch (status) {
    case 401:
      return new ServiceError(
        'UNAUTHENTICATED',
        'The service needs a credential, or refused the one that was sent. Send an API key that is good there.',
        { details: { credential: 'refused' } },
      );
    case 403:
      return forbidden(headers);
    case 413:
      return new ServiceError(
        'PAYLOAD_TOO_LARGE',
        'The service takes no body of that size. Send less at a time.',
      );
    case 429:
      return new ServiceError(
        'RATE_LIMITED',
        'The service takes no more calls for now. Wait, then try again.',
        {
          details: retryDetails(headers),
        },
      );
    case 502:
    case 503:
    case 504:
      return away(base, `what stands before it answers with HTTP ${status}`);
    default:
      if (status >= 300 && status < 400)
        return notTheService(
          base,
          `sends elsewhere (HTTP ${status}), which is not followed: a credential would go along`,
        );
      return notTheService(base, `answers with HTTP ${status}`);
  }
}

/** The error in a body of the service: a JSON-RPC response, an envelope, or the form of the compatibility routes. */
export function errorIn(body: unknown): ServiceError | undefined {
  if (!isRecord(body) || !isRecord(body['error'])) return undefined;
  const { message, code, data, details } = body['error'];
  const named = isRecord(data) ? data : { code, details };
  return serviceError(named['code'], message, named['details']);
}

/** An error of the table; undefined for what has no code of ours. */
export function serviceError(code: unknown, message: unknown, details: unknown): ServiceError | undefined {
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code) || typeof message !== 'string')
    return undefined;
  return new ServiceError(code as ErrorCode, message, isRecord(details) ? { details } : {}); // a key of the table
}

function misdirected(base: string): ServiceError {
  const { host } = new URL(base);
  return new ServiceError(
    'MISDIRECTED',
    `The service at ${base} does not answer for the host ${host}. Correct SERVICE_API_URL of the gateway, or let its operator add ${host} to SERVICE_ALLOWED_HOSTS.`,
  );
}

const SCOPE = /(?:^|[\s,])scope="([\w:.* -]{1,500})"/;

function forbidden(headers: Headers): ServiceError {
  const scope = SCOPE.exec(headers.get('www-authenticate') ?? '')?.[1];
  const message =
    scope === undefined
      ? 'The service refuses this. Use a credential that may do it.'
      : `The service asks for a credential with the scope ${scope}.`;
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
