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
