import { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { PROVIDER_SESSION_COOKIE } from './addresses.js';

/**
 * The request for the authorization server: at the configured `origin` instead of the Host header, with a changed
 * address or body, and without the library's session cookie.
 */
export function rewriteRequest(
  ctx: Context,
  changes: { readonly origin: string; readonly url?: string; readonly type?: string; readonly body?: Buffer },
): IncomingMessage {
  const { host, protocol } = new URL(changes.origin);
  const request = new IncomingMessage(ctx.req.socket);
  request.method = ctx.req.method ?? 'GET';
  request.url = changes.url ?? ctx.req.url ?? '/';
  request.httpVersion = ctx.req.httpVersion;
  request.httpVersionMajor = ctx.req.httpVersionMajor;
  request.httpVersionMinor = ctx.req.httpVersionMinor;
  const { cookie, 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = ctx.req.headers;
  request.headers = {
    ...headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
  };
  const cookies = cookie
    ?.split(';')
    .filter((pair) => !pair.trim().startsWith(PROVIDER_SESSION_COOKIE))
    .join(';');
  if (cookies !== undefined && cookies !== '') request.headers.cookie = cookies;
  if (changes.body) {
    request.headers['content-type'] = changes.type ?? 'application/x-www-form-urlencoded';
    request.headers['content-length'] = String(changes.body.length);
    request.push(changes.body);
  } else delete request.headers['content-type'];
  request.push(null);
  request.complete = true;
  return request;
}
