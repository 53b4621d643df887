import { ServiceError, type AuthenticationRequest, type Caller, type Origins } from '@service-mcp/core';
import { readSessionCookie } from '../session-cookie.js';
import type { Sessions } from '../sessions.js';

/** Checks the cookie of a browser's session. Undefined where there is none, or it has ended: then the browser is simply not logged in. */
export async function checkBrowser(
  request: AuthenticationRequest,
  sessions: Sessions,
  origins: Origins,
): Promise<Caller | undefined> {
  const cookie = readSessionCookie(request.headers, origins.web.startsWith('https:'));
  const session = cookie === undefined ? undefined : await sessions.ofBrowser(cookie);
  if (!session) return undefined;
  const { account, sessionId } = session;
  return {
    kind: 'session',
    userId: account.id,
    name: account.name,
    scopes: ['*'],
    administrator: account.administrator,
    credentialId: sessionId,
  };
}

/**
 * Refuses to change anything on a cookie alone that a foreign page may have made the browser send: a method other
 * than GET and HEAD needs an Origin of ours or, where browsers leave it out, `Sec-Fetch-Site: same-origin`.
 */
export function refuseForeignPage({ headers, method }: AuthenticationRequest, origins: Origins): void {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin } = headers;
  const ours =
    origin === undefined
      ? headers['sec-fetch-site'] === 'same-origin'
      : origin === origins.base || origin === origins.web;
  if (ours) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    'A login by cookie may change things from pages of this service alone. Send an API key or an access token instead.',
  );
}
