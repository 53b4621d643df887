/** The redirect target after a consent, for people. */
export function describeTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol === 'https:') return url.host;
  if (url.protocol === 'http:') return `${url.host} (a program on this computer)`;
  // Whole: some schemes lead on to a website (microsoft-edge:https://…) or another machine (smb://…).
  return `${url.href} (an application on this device)`;
}

/** The target as a Content-Security-Policy source; undefined when CSP cannot express it (IPv6). */
export function targetCspSource(redirectUri: string): string | undefined {
  const url = new URL(redirectUri);
  if (!/^https?:$/.test(url.protocol)) return url.protocol;
  return url.hostname.startsWith('[') ? undefined : url.origin;
}

/** A path on this site to continue at; `fallback` for anything that leads elsewhere. */
export function localPath(given: string | null | undefined, web: string, fallback: string): string {
  if (!given || !/^\/(?![/\\])/.test(given) || !URL.canParse(given, web)) return fallback;
  const url = new URL(given, web);
  const path = url.pathname + url.search; // resolving dots can leave two slashes at the start
  return url.origin === web && !path.startsWith('//') ? path : fallback;
}
