import type { Origins } from '@service-mcp/core';
import { MCP_PATHS, audience } from './addresses.js';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The audience that a resource indicator stands for, in whatever spelling a client sends it: any MCP endpoint, a slash
 * at its end, the origin alone, a query, another case of the host. A local gateway names its own loopback address and
 * passes the token on, so that loopback is the same audience (contract.md 8). Undefined: it is another service's.
 */
export function canonicalResource(resource: string, origins: Origins): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const url = new URL(resource);
  if (url.hash !== '' || resource.includes('#') || url.username !== '' || url.password !== '')
    return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  if (path !== '' && !MCP_PATHS.some((known) => known === path)) return undefined;
  const isOurs = url.origin === origins.mcp || url.origin === origins.base;
  const isGateway = /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
  return isOurs || isGateway ? audience(origins) : undefined;
}
