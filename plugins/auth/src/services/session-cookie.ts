import type { Headers } from '@service-mcp/core';

const NAME = 'service_session';

/** `__Host-`: browsers take it from this host over https alone (RFC 6265bis, 4.1.3.2). */
function nameOf(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME;
}

/** The value of the session's cookie; undefined where the request has none, or several that differ. `secure`: pages are served over https. */
export function readSessionCookie(headers: Headers, secure: boolean): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== 'string') return undefined;
  const start = `${nameOf(secure)}=`;
  const values = new Set<string>();
  for (const part of cookie.split(';')) {
    const pair = part.trim();
    if (pair.startsWith(start)) values.add(pair.slice(start.length));
  }
  const [value] = values;
  return values.size === 1 && value !== '' ? value : undefined;
}

/** The `Set-Cookie` that begins a browser's session, or ends it where `value` is undefined. The session's end is kept in the database. */
export function sessionCookie(value: string | undefined, secure: boolean): string {
  const life = value === undefined ? '; Max-Age=0' : '; Max-Age=34560000'; // 400 days, the most that browsers keep
  return `${nameOf(secure)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${life}`;
}
