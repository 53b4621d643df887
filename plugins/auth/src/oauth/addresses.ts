import type { Origins } from '@service-mcp/core';

/** Paths of the authorization server (interface.md 5.3). */
export const PATHS = {
  authorize: '/oauth/authorize',
  interaction: '/oauth/interaction',
  token: '/api/v1/oauth/token',
  revoke: '/api/v1/oauth/revoke',
  register: '/api/v1/oauth/register',
  jwks: '/api/v1/oauth/jwks',
} as const;

/** The MCP endpoints of the service; each has its own discovery document. */
export const MCP_PATHS = ['/mcp', '/agent-a', '/agent-b', '/client'] as const;

/** Cookie of the library's own session, which we do not use: the cookie is never sent. */
export const PROVIDER_SESSION_COOKIE = 'service_oauth_session';

/** The audience of every access token. */
export function audience(origins: Origins): string {
  return `${origins.mcp}/mcp`;
}

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
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (path !== '' && !MCP_PATHS.some((known) => known === path)) return undefined;
  const isOurs = url.origin === origins.mcp || url.origin === origins.base;
  const isGateway = /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
  return isOurs || isGateway ? audience(origins) : undefined;
}
