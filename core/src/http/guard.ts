import type { Context } from 'koa';
import { ServiceError } from '../errors.js';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Is this a bind address that only the same machine reaches? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Refuses what a DNS-rebinding page or a foreign web page would send: a Host header that is not one of ours
 * (MISDIRECTED), an Origin that is not ours (PERMISSION_DENIED). Loopback names are always ours; others come
 * from `baseUrl` and `allowedHosts`.
 */
export function createGuard(settings: {
  readonly baseUrl: string | undefined;
  readonly allowedHosts: readonly string[];
}) {
  const hosts = new Set(settings.allowedHosts.map((host) => host.toLowerCase()));
  const allow = (url: string) => hosts.add(new URL(url).host);
  if (settings.baseUrl !== undefined) allow(settings.baseUrl);
  const ours = (host: string) => hosts.has(host) || LOOPBACK.has(host.replace(/:\d+$/, ''));

  const guard = (ctx: Context): void => {
    const host = ctx.headers.host?.toLowerCase() ?? '';
    if (!ours(host)) {
      throw new ServiceError(
        'MISDIRECTED',
        'This service does not answer for that Host. The operator can add it to server.allowed_hosts.',
      );
    }
    const { origin } = ctx.headers;
    if (origin !== undefined && !isOurs(origin, ours)) {
      throw new ServiceError('PERMISSION_DENIED', 'Pages of that Origin may not call this service.');
    }
  };
  return Object.assign(guard, { allow });
}

function isOurs(origin: string, ours: (host: string) => boolean): boolean {
  return /^https?:\/\//.test(origin) && URL.canParse(origin) && ours(new URL(origin).host);
}
