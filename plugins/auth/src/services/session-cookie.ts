import type { Headers, Origins } from '@service-mcp/core';

const NAME = 'service_session';

const isSecure = ({ web }: Origins) => web.startsWith('https:');

/**
 * `__Host-`: browsers accept it only from this host over https (RFC 6265bis, 4.1.3.2). Over http the port tells the
 * services of one machine apart: browsers send a cookie to every port of its host.
 */
function nameOf(origins: Origins): string {
  if (isSecure(origins)) return `__Host-${NAME}`;
  const { port } = new URL(origins.web);
  return port === '' ? NAME : `${NAME}_${port}`;
}

/** Value of the session cookie; undefined without one, or with several that differ. */
export function readSessionCookie(headers: Headers, origins: Origins): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== 'string') return undefined;
  const start = `${nameOf(origins)}=`;
  const values = new Set<string>();
  for (const part of cookie.split(';')) {
    const pair = part.trim();
    if (pair.startsWith(start)) values.add(pair.slice(start.length));
  }
  const [value] = values;
  return values.size === 1 && value !== '' ? value : undefined;
}

/** The `Set-Cookie` header for a browser session; an undefined `value` deletes the cookie. The database holds the session's expiry. */
export function sessionCookie(value: string | undefined, origins: Origins): string {
  const secure = isSecure(origins) ? '; Secure' : '';
  const life = value === undefined ? '; Max-Age=0' : '; Max-Age=34560000'; // 400 days, the maximum of browsers
  return `${nameOf(origins)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${life}`;
}
