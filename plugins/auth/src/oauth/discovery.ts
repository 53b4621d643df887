import { namedOrigin, type Origins } from '@service-mcp/core';
import type { HttpBase } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { DEFAULT_SCOPES } from '../services/scopes.js';
import { MCP_PATHS, PATHS } from './addresses.js';
import { IDENTITY_SCOPES } from './oauth-scopes.js';

export const WELL_KNOWN = '/.well-known';
/** Names of the authorization server's document. */
const SERVER_DOCUMENTS = ['oauth-authorization-server', 'openid-configuration'] as const;

/** RFC 9728. The root document names the MCP origin; each endpoint has its own, for clients that compare addresses. */
function protectedResource(resource: string, issuer: string) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: DEFAULT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Context memory and search',
  };
}

/** RFC 8414 and OpenID Connect Discovery; `hasDocuments`: client-id documents are read. The library's own document would use the Host header. */
export function authorizationServer({ base, web }: Pick<Origins, 'base' | 'web'>, hasDocuments: boolean) {
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
    client_id_metadata_document_supported: hasDocuments,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'email', 'name'],
    request_uri_parameter_supported: false,
    request_parameter_supported: false,
  };
}

/** The documents of an address, and the seconds that caches keep them, per Origin; undefined: not at all. */
interface DiscoveryDocuments {
  issuer(): string | Promise<string>;
  server(): Promise<object>;
  maxAgeS(document: 'resource' | 'server'): number | undefined;
}

/** Serves the discovery documents at every address that clients try, with CORS for every origin. */
export function mountDiscovery({ router, ...http }: HttpBase, documents: DiscoveryDocuments): void {
  const serve = (
    addresses: readonly string[],
    document: 'resource' | 'server',
    read: (ctx: Context) => Promise<object>,
  ): void => {
    http.openTo(...addresses);
    router.get([...addresses], async (ctx) => {
      ctx.body = await read(ctx);
      const maxAgeS = documents.maxAgeS(document);
      if (maxAgeS === undefined) return;
      ctx.set('Cache-Control', `public, max-age=${maxAgeS}`);
      ctx.vary('Origin');
    });
  };
  for (const path of ['', ...MCP_PATHS])
    serve([`${WELL_KNOWN}/oauth-protected-resource${path}`], 'resource', async (ctx) =>
      protectedResource(`${namedOrigin(ctx, http.origins().mcp)}${path}`, await documents.issuer()),
    );
  for (const name of SERVER_DOCUMENTS) {
    const address = `${WELL_KNOWN}/${name}`;
    const others = MCP_PATHS.flatMap((path) => [address + path, path + address]);
    serve([address, ...others], 'server', () => documents.server());
  }
}
