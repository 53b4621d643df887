import {
  ServiceError,
  namedOrigin,
  type AuthenticationRequest,
  type Caller,
  type Headers,
  type Origins,
} from '@service-mcp/core';
import { readSessionCookie } from '../session-cookie.js';
import { sessionCaller, type Sessions } from '../sessions.js';

/** The session of a browser by its cookie; undefined without a cookie or with an expired one. */
export async function browserSession(headers: Headers, sessions: Sessions, origins: Origins) {
  const cookie = readSessionCookie(headers, origins);
  return cookie === undefined ? undefined : sessions.ofBrowser(cookie);
}

/** The caller of a browser; undefined when it is not logged in. */
export async function checkBrowser(
  { headers }: AuthenticationRequest,
  sessions: Sessions,
  origins: Origins,
): Promise<Caller | undefined> {
  const session = await browserSession(headers, sessions, origins);
  if (!session) return undefined;
  const { account, sessionId } = session;
  return { ...sessionCaller(account, sessionId), administrator: account.administrator };
}

/**
 * Does a request have the Origin of the pages or the API, by any name of a loopback address, or, without an Origin,
 * `Sec-Fetch-Site: same-origin`?
 */
export function isFromOurPage(headers: Headers, { base, web }: Origins): boolean {
  const { origin } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  const host = hostOf(headers);
  return [base, web].some((own) => origin === own || origin === namedOrigin({ host }, own));
}

/** Is a request from a page of the host that it goes to? With `server.allowed_hosts` that may be none of our addresses. */
export function isFromItsHost(headers: Headers): boolean {
  const { origin = '' } = headers;
  return URL.canParse(String(origin)) && new URL(String(origin)).host === hostOf(headers).toLowerCase();
}

const hostOf = (headers: Headers) => String(headers['x-forwarded-host'] ?? headers['host'] ?? '');

/**
 * CSRF protection for requests authenticated by cookie only: a method other than GET and HEAD must come from a page
 * of ours. Throws PERMISSION_DENIED.
 */
export function rejectForeignPage({ headers, method }: AuthenticationRequest, origins: Origins): void {
  if (method === 'GET' || method === 'HEAD') return;
  const ours = isFromOurPage(headers, origins);
  if (ours) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    'A cookie authorizes changes only from pages of this service. Send an API key or an access token instead.',
  );
}
