import type { Origins } from '@service-mcp/core';
import { MCP_PATHS, audience } from './addresses.js';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The audience of a resource indicator in any spelling: any MCP endpoint, a trailing slash, the origin only, a query,
 * another case of the host. A local gateway names its own loopback address and forwards the token, so loopback is the
 * same audience (contract.md 8). Undefined for another service.
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
