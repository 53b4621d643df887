import { ServiceError, type Log, type Origins } from '@service-mcp/core';
import Provider, { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { Accounts } from '../services/accounts.js';
import { PATHS, PROVIDER_SESSION_COOKIE, audience } from './addresses.js';
import { createAdapter, type Stores } from './adapter.js';
import { digestOf } from '../services/secrets.js';
import { isOutage } from './answer-outage.js';
import type { ClientDocuments } from './client-documents.js';
import { translateDocumentFault, translateOutage } from './translate-outages.js';
import { IDENTITY_SCOPES } from './oauth-scopes.js';
import type { KeyGeneration } from './signing-keys.js';

const ACCESS_TOKEN_SECONDS = 900;
const CODE_SECONDS = 60;
const INTERACTION_SECONDS = 60 * 60;
const REFRESH_SECONDS = 30 * 24 * 60 * 60;
const GRANT_SECONDS = 365 * 24 * 60 * 60;

export interface ProviderParts {
  readonly origins: Origins;
  readonly keys: readonly KeyGeneration[];
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly documents: ClientDocuments;
  readonly scopes: readonly string[];
  readonly log: Log;
  readonly renderError: (ctx: KoaContextWithOIDC, message: string) => void;
}

/** The authorization server with these keys. Stateless: it is rebuilt when they change. */
export function createProvider(parts: ProviderParts): Provider {
  const { origins, keys, stores, log } = parts;
  // Uses the provider defined below, at run time.
  const clientName = async (clientId: string) =>
    (await provider.Client.find(clientId).catch(() => undefined))?.clientName ?? clientId;

  const provider = new Provider(origins.base, {
    ...settings(parts),
    adapter: createAdapter(stores, clientName),
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    cookies: {
      keys: keys.map(({ cookieKey }) => cookieKey),
      names: {
        session: PROVIDER_SESSION_COOKIE,
        interaction: 'service_oauth_interaction',
        resume: 'service_oauth_resume',
      },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    findAccount: async (_ctx, id) => {
      const account = await translateOutage(parts.accounts.byId(id));
      if (!account || account.disabled) return undefined;
      return {
        accountId: id,
        claims: async () => ({ sub: id, email: account.email, name: account.name }),
      };
    },
    renderError: (ctx, _out, error) => parts.renderError(ctx, errorMessage(error)),
  });
  const find = provider.Client.find.bind(provider.Client);
  provider.Client.find = (id) =>
    find(id).catch((error: unknown) => {
      throw translateDocumentFault(error, id);
    });
  provider.silent = true; // failures arrive as server_error events
  provider.proxy = true; // we set its headers: see rewrite-request.ts
  provider.Client.prototype.compareClientSecret = function (secret) {
    return this.clientSecret === digestOf(secret); // comparing digests leaks no timing
  };
  provider.on('server_error', (_ctx, err) =>
    log.error({ err }, 'a request to the authorization server failed'),
  );
  return provider;
}

function settings({ origins, documents, stores, scopes }: ProviderParts): Configuration {
  const ours = audience(origins);
  return {
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      revocation: PATHS.revoke,
      registration: PATHS.register,
      jwks: PATHS.jwks,
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes: [...IDENTITY_SCOPES],
    claims: { openid: ['sub', 'email', 'name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    clientBasedCORS: () => true,
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => ours,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, resource) => {
          if (resource !== ours) throw new errors.InvalidTarget();
          return {
            scope: scopes.join(' '),
            audience: ours,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'opaque',
          };
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `${origins.web}${PATHS.interaction}/${uid}` },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      IdToken: 60 * 60,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Grant: GRANT_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    async fetch(request) {
      const url = new URL(request instanceof Request ? request.url : request).href;
      return documents.fetch(url).catch(async (error: unknown) => {
        const kept = isOutage(error) ? await stores.clients.keptDocument(url) : undefined;
        if (!kept) throw error;
        return Response.json(kept);
      });
    },
  };
}

/** Text for a person. The library's messages about requests are safe to show, those about failures are not. */
function errorMessage(error: Error): string {
  if (error.cause instanceof ServiceError && error.cause.details?.['client_document'] !== undefined)
    return error.cause.message;
  if (error instanceof errors.SessionNotFound)
    return 'This sign-in has expired, or it was started in another browser. Go back to the application and connect again.';
  if (error instanceof errors.TemporarilyUnavailable)
    return 'The service cannot answer at the moment. Wait a little, go back to the application and connect again.';
  if (error instanceof errors.InvalidClient)
    return 'The application that sent you here is unknown to this service. Remove the connection in the application and add it again.';
  if (error instanceof errors.InvalidRedirectUri)
    return 'The application requested a redirect to an address that it did not register. Do not continue; report it to the makers of the application.';
  if (error instanceof errors.OIDCProviderError && error.expose)
    return `The application sent an invalid request (${error.error}). Go back to it and connect again.`;
  return 'The service failed. Go back to the application and connect again.';
}
