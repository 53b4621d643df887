import type { Context } from 'koa';
import { ServiceError } from '../errors.js';
import type { Origins } from '../services.js';

/** A host and perhaps a port, as the header Host holds them (RFC 9110, 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
/** A name of 255 characters, and a port. */
const MAX_HOST_LENGTH = 261;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether an address, to bind or of a client, is of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** What pages of other loopback ports may call: the addresses of `openToLoopback`, nothing, or everything. */
export type LoopbackPages = 'mcp' | 'none' | 'all';

/**
 * Refuses malformed requests (INVALID_REQUEST), and the requests of DNS-rebinding pages and foreign web pages: a
 * Host header that is not one of ours (MISDIRECTED), an Origin that is not ours (PERMISSION_DENIED). Hosts of ours are
 * those of the deployment's origins, `allowedHosts` and loopback names. Origins of ours are the same without the loopback
 * names, and the one that the request is sent to; another port of this machine is another program, which may be
 * another person's. Addresses opened by `openTo` take every Origin: what they serve holds for anyone.
 */
export function createGuard(settings: {
  readonly allowedHosts: readonly string[];
  readonly loopbackPages: LoopbackPages;
}) {
  const allowed = new Set(settings.allowedHosts.map((host) => host.toLowerCase()));
  const hosts = new Set(allowed);
  const open = new Set<string>();
  const openToLoopback = new Set<string>();
  const isLoopbackName = (host: string) => LOOPBACK.has(host.replace(/:\d+$/, ''));
  const ours = (host: string) => hosts.has(host) || isLoopbackName(host);
  const hostOf = ({ req }: Context) => String(req.headers['x-forwarded-host'] ?? req.headers.host ?? ''); // trusted: settleForwarded ran before
  const allowsOrigin = (origin: string, ctx: Context): boolean => {
    if (open.has(ctx.path)) return true;
    if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
    const { host } = new URL(origin);
    if (hosts.has(host)) return true;
    if (!isLoopbackName(host)) return false;
    if (host === hostOf(ctx).toLowerCase()) return true;
    const { loopbackPages } = settings;
    return loopbackPages === 'all' || (loopbackPages === 'mcp' && openToLoopback.has(ctx.path));
  };

  const guard = (ctx: Context): void => {
    const { rawHeaders, headers, url = '' } = ctx.req;
    refuseDoubled(rawHeaders);
    refuseStrangeTarget(url);
    const host = hostOf(ctx);
    if (!HOST.test(host)) {
      throw new ServiceError(
        'INVALID_REQUEST',
        'The header Host must be a name or address, and a port perhaps.',
      );
    }
    const name = host.toLowerCase();
    // One that is allowed without a port is with each; a page counts by the port that its scheme means.
    if (!ours(name) && !allowed.has(name.replace(/:\d+$/, ''))) {
      const shown = host.slice(0, MAX_HOST_LENGTH);
      throw new ServiceError(
        'MISDIRECTED',
        `This service does not answer for the Host ${shown}. The operator can name the address that clients use with SERVICE_BASE_URL, or serve a further one, where nobody signs in, with server.allowed_hosts (SERVICE_ALLOWED_HOSTS=${shown}).`,
      );
    }
    const { origin } = headers;
    if (origin !== undefined && !allowsOrigin(origin, ctx)) {
      throw new ServiceError(
        'PERMISSION_DENIED',
        'Pages of that Origin may not call this address. The operator can allow a host with server.allowed_hosts (SERVICE_ALLOWED_HOSTS), or other ports of this machine with server.loopback_pages.',
      );
    }
  };
  return Object.assign(guard, {
    allow: (origins: Origins) => {
      for (const origin of Object.values(origins)) {
        const { host, port } = new URL(origin);
        hosts.add(host);
        // One address of this machine has three names.
        if (isLoopbackName(host))
          for (const name of LOOPBACK) hosts.add(port === '' ? name : `${name}:${port}`);
      }
    },
    openTo: (...paths: string[]) => paths.forEach((path) => open.add(path)),
    openToLoopback: (...paths: string[]) => paths.forEach((path) => openToLoopback.add(path)),
    allowsOrigin,
  });
}

/** A whole address, an asterisk or two slashes mean another host to some programs and a path to others. */
function refuseStrangeTarget(target: string): void {
  if (target.startsWith('/') && !target.startsWith('//')) return;
  throw new ServiceError('INVALID_REQUEST', 'Ask for a path that begins with one slash.');
}

/** Of which Node keeps the first alone, while a proxy before it may have looked at the last. */
const SINGLE = new Set(['host', 'authorization']);

function refuseDoubled(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string; // names and values take turns
    if (given.length !== 4 && given.length !== 13) continue;
    const name = given.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw new ServiceError('INVALID_REQUEST', `The header ${given} must be sent once.`);
    seen.add(name);
  }
}
