/** Where the browser goes after a consent, as a person should read it. */
export function targetInWords(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol === 'https:') return url.host;
  if (url.protocol === 'http:') return `${url.host} (a program on this computer)`;
  return `${url.protocol}// (an application on this device)`;
}

/** The same as a source of a Content-Security-Policy; undefined where the grammar has no word for it (IPv6). */
export function targetAsSource(redirectUri: string): string | undefined {
  const url = new URL(redirectUri);
  if (!/^https?:$/.test(url.protocol)) return url.protocol;
  return url.hostname.startsWith('[') ? undefined : url.origin;
}

/** A path of this site to go on at; `fallback` for anything that would lead elsewhere. */
export function localPath(given: string | null | undefined, web: string, fallback: string): string {
  if (!given || !/^\/(?![/\\])/.test(given) || !URL.canParse(given, web)) return fallback;
  const url = new URL(given, web);
  const path = url.pathname + url.search; // dots in it are resolved, and may have left two slashes at the start
  return url.origin === web && !path.startsWith('//') ? path : fallback;
}
