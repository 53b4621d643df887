import type { Origins } from '@service-mcp/core';
import type { HttpMount } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { DEFAULT_SCOPES } from '../services/scopes.js';
import { MCP_PATHS, PATHS } from './addresses.js';
import { IDENTITY_SCOPES } from './oauth-scopes.js';

export const WELL_KNOWN = '/.well-known';
/** Names of the authorization server's document. */
export const SERVER_DOCUMENTS = ['oauth-authorization-server', 'openid-configuration'] as const;

/** RFC 9728. The root document names the MCP origin; each endpoint has its own, for clients that compare addresses. */
export function protectedResource(resource: string, issuer: string) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: DEFAULT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Context memory and search',
  };
}

/** RFC 8414 and OpenID Connect Discovery. The library's own document would use the Host header. */
export function authorizationServer({ base, web }: Pick<Origins, 'base' | 'web'>) {
  const authentication = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer: base,
    authorization_endpoint: `${web}${PATHS.authorize}`,
    token_endpoint: `${base}${PATHS.token}`,
    registration_endpoint: `${base}${PATHS.register}`,
    revocation_endpoint: `${base}${PATHS.revoke}`,
    jwks_uri: `${base}${PATHS.jwks}`,
    scopes_supported: [...DEFAULT_SCOPES, ...IDENTITY_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'email', 'name'],
    request_uri_parameter_supported: false,
    request_parameter_supported: false,
  };
}

/** Serves the discovery documents at every address that clients try, with CORS for every origin. */
export function mountDiscovery({ router, ...http }: HttpMount): void {
  for (const path of ['', ...MCP_PATHS]) {
    const address = `${WELL_KNOWN}/oauth-protected-resource${path}`;
    http.openTo(address);
    router.get(address, (ctx) => {
      allowCaching(ctx);
      ctx.body = protectedResource(`${http.origins().mcp}${path}`, http.origins().base);
    });
  }
  for (const name of SERVER_DOCUMENTS) {
    const addresses = [
      `${WELL_KNOWN}/${name}`,
      ...MCP_PATHS.flatMap((path) => [`${WELL_KNOWN}/${name}${path}`, `${path}${WELL_KNOWN}/${name}`]),
    ];
    http.openTo(...addresses);
    router.get(addresses, (ctx) => {
      allowCaching(ctx);
      ctx.body = authorizationServer(http.origins());
    });
  }
}

/** Caches keep it for five minutes, per Origin. */
function allowCaching(ctx: Context): void {
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.vary('Origin');
}
