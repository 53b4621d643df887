import { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { PROVIDER_SESSION_COOKIE } from './addresses.js';

/**
 * The request as the authorization server is to see it: at one of the configured addresses, whatever Host it came by;
 * with another address or body where we changed them; without the session cookie that the library would keep.
 */
export function present(
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
  const kept = cookie
    ?.split(';')
    .filter((pair) => !pair.trim().startsWith(PROVIDER_SESSION_COOKIE))
    .join(';');
  if (kept !== undefined && kept !== '') request.headers.cookie = kept;
  if (changes.body) {
    request.headers['content-type'] = changes.type ?? 'application/x-www-form-urlencoded';
    request.headers['content-length'] = String(changes.body.length);
    request.push(changes.body);
  } else delete request.headers['content-type'];
  request.push(null);
  request.complete = true;
  return request;
}
