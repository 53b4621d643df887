import type { Origins, ServiceError } from '@service-mcp/core';
import { DEFAULT_SCOPES } from '../services/scopes.js';
import { WELL_KNOWN } from './discovery.js';

/** The value of `WWW-Authenticate` on an MCP endpoint: the resource metadata (RFC 9728, 5.1) and the error. */
export function oauthChallenge(
  { mcp }: Pick<Origins, 'mcp'>,
  error: ServiceError,
  held: readonly string[] = [],
): string {
  const metadata = `${mcp}${WELL_KNOWN}/oauth-protected-resource`;
  return `Bearer ${[...reasonOf(error, held), `resource_metadata="${metadata}"`].join(', ')}`;
}

const SCOPE = /^[\w:.*-]+$/;

/**
 * RFC 6750, 3.1. Requests the default scopes and those of the token with the missing scope, so that one consent is enough
 * and nothing is lost by it.
 */
function reasonOf({ code, details }: ServiceError, held: readonly string[]): string[] {
  const scope = details?.['scope'];
  if (code === 'PERMISSION_DENIED' && typeof scope === 'string' && SCOPE.test(scope))
    return [
      'error="insufficient_scope"',
      `scope="${[...new Set([...DEFAULT_SCOPES, ...held, scope])].join(' ')}"`,
    ];
  if (code === 'UNAUTHENTICATED' && details?.['credential'] === 'refused') return ['error="invalid_token"'];
  return [];
}
