import { ServiceError, type Headers } from '@service-mcp/core';
import { isLoopback } from '@service-mcp/core/http';
import { createJwtVerifier, isJwt, presentedCredentials } from '@service-mcp/plugin-auth/contract';
import type { GatewaySettings } from './settings.js';
import type { Upstream } from './upstream.js';

/** Ids of the gateways that a request has passed. */
const GATEWAYS_HEADER = 'x-service-gateway';
const SETTING = { key: 'upstream.jwt_secret', without: 'then the service verifies JWTs' };

/**
 * Decides on a request (interface.md 5.4): returns the headers to add to it, which are the gateway's own key where the
 * request has no credential, and the trail of gateways. Throws PERMISSION_DENIED for another machine that needs a
 * credential, UNAUTHENTICATED for a missing, malformed or forged one and for a required one that neither the gateway nor
 * the service verifies, and UNAVAILABLE for a request that was here before. Throws a BootError for a weak secret.
 */
export function createGate({ upstream }: Pick<GatewaySettings, 'upstream'>) {
  const { api_key: key, require_auth: required, allow_remote: allowsRemote, jwt_secret: secret } = upstream;
  const id = crypto.randomUUID();
  const verify = secret === undefined ? undefined : createJwtVerifier(secret, SETTING);

  /** `forwarded`: through a proxy that is not trusted. */
  return async (
    headers: Headers,
    peer: { readonly address: string; readonly forwarded: boolean },
    service: Pick<Upstream, 'rejectsCredentials'>,
  ): Promise<Record<string, string>> => {
    if (!required && !allowsRemote && (peer.forwarded || !isLoopback(peer.address)))
      throw new ServiceError(...REMOTE_PEER);
    const trail = [headers[GATEWAYS_HEADER] ?? []].flat().join(',').slice(-1000);
    if (trail.includes(id)) throw new ServiceError(...LOOP);
    const credentials = presentedCredentials(headers);
    if (credentials.length === 0 && required) throw new ServiceError(...MISSING);
    const verified = verify ? credentials.filter(isJwt) : [];
    for (const { value } of verified) await verify?.(value);
    if (required && verified.length === 0 && !(await service.rejectsCredentials()))
      throw new ServiceError(...UNVERIFIABLE);
    return {
      [GATEWAYS_HEADER]: trail === '' ? id : `${trail},${id}`,
      ...(credentials.length === 0 && key !== undefined && { 'x-service-api-key': key }),
    };
  };
}

const REMOTE_PEER = [
  'PERMISSION_DENIED',
  'This gateway requires no credential, so it serves only its own machine. Its operator can set MCP_HTTP_REQUIRE_AUTH=true, or MCP_HTTP_ALLOW_REMOTE=true behind an authenticating proxy.',
] as const;
const LOOP = [
  'UNAVAILABLE',
  'SERVICE_API_URL of this gateway leads back to the gateway itself. Its operator must set it to the address of the service.',
] as const;
const MISSING = [
  'UNAUTHENTICATED',
  'This gateway needs a credential: an API key in X-Service-API-Key or Authorization: Bearer, or a login.',
] as const;
const UNVERIFIABLE = [
  'UNAUTHENTICATED',
  'The service keeps no accounts, so nobody verifies this credential. Its operator can add the auth plugin to the service, or set SERVICE_JWT_SECRET for this gateway and give clients JWTs.',
  { details: { credential: 'refused' } },
] as const;
