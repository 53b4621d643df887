import type { AddressInfo } from 'node:net';
import type { Origins } from '../services.js';
import { BootError } from './boot-error.js';
import type { CoreConfig } from './config.js';

/**
 * The addresses of a deployment: as configured, else where it is bound, which `bind` tells, or where its service was, which
 * `recall` tells.
 */
export function createOrigins(server: CoreConfig['server']): {
  readonly origins: () => Origins;
  readonly bind: (address: AddressInfo) => void;
  readonly recall: (noted: Origins) => void;
} {
  const configured = (key: 'base_url' | 'mcp_url' | 'web_url') => readOrigin(key, server[key]);
  const [base, mcp, web] = [configured('base_url'), configured('mcp_url'), configured('web_url')];
  const resolved = (other: Origins): Origins => ({
    base: base ?? other.base,
    mcp: mcp ?? base ?? other.mcp,
    web: web ?? base ?? other.web,
  });
  const from = (port: number): Origins => {
    const own = boundOrigin(server.host, port);
    return resolved({ base: own, mcp: own, web: own });
  };
  let current = from(server.port);
  return {
    origins: () => current,
    bind: ({ port }) => {
      current = from(port);
    },
    recall: (noted) => {
      current = resolved(noted);
    },
  };
}

function readOrigin(key: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { origin, pathname, search, hash, protocol } = new URL(url); // the schema checked that it is one
  if (/^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '') return origin;
  throw new BootError(
    `server.${key}`,
    'it is not an origin',
    'Write scheme, host and port alone, such as https://memory.example.com',
  );
}

/**
 * The section of a server with the host and port of the command line over it. An IPv6 address may be in brackets, as in a
 * URL; it is bound without them.
 */
export function overrideBinding<S extends Pick<CoreConfig['server'], 'host' | 'port'>>(
  server: S,
  {
    host = server.host,
    port = server.port,
  }: { readonly host?: string | undefined; readonly port?: number | undefined },
): S {
  // Node would bind every address of the machine.
  if (host === '')
    throw new BootError('--host', 'it is empty', 'Name an address, or leave it out for the default.');
  return { ...server, host: /^\[(.*)\]$/.exec(host)?.[1] ?? host, port };
}

/** Where a machine reaches what is bound on it. */
export function boundOrigin(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
