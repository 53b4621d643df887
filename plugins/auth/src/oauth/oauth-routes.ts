import type { IncomingMessage } from 'node:http';
import {
  AuditTrail,
  Clock,
  Database,
  Deployment,
  FirstRun,
  Log,
  PendingMemberships,
  RateLimits,
  defineRoutes,
  optional,
} from '@service-mcp/core';
import type { Context } from 'koa';
import { config } from '../config.js';
import { mountPages } from '../pages/index.js';
import { showProblem } from '../pages/layout.js';
import { Accounts } from '../services/accounts.js';
import { Invitations } from '../services/invitations.js';
import { Scopes } from '../services/scopes.js';
import { Sessions } from '../services/sessions.js';
import { answerOutage } from './answer-outage.js';
import { ClientDocuments } from './client-documents.js';
import { createClientStore } from './client-store.js';
import { authorizationServer, mountDiscovery } from './discovery.js';
import { PATHS, PROVIDER_SESSION_COOKIE } from './addresses.js';
import { mountEndpoints } from './endpoints.js';
import { Grants } from './grant-store.js';
import { loadProvider } from './load-provider.js';
import { holdRedirect } from './hold-redirect.js';
import { createProviderCache } from './provider-cache.js';
import { createRecordStore } from './record-store.js';
import { answerRefresh, answerRevocation, type TokenRequest } from './refresh-grace.js';
import { SigningKeys } from './signing-keys.js';

/** How long caches keep a discovery document that does not change. */
const DISCOVERY_MAX_AGE_S = 300;

export const oauthRoutes = defineRoutes({
  uses: {
    database: Database,
    clock: Clock,
    deployment: Deployment,
    firstRun: FirstRun,
    log: Log,
    limits: RateLimits,
    audit: optional(AuditTrail),
    pending: optional(PendingMemberships),
    settings: config.token,
    accounts: Accounts,
    invitations: Invitations,
    sessions: Sessions,
    known: Scopes,
    grants: Grants,
    keys: SigningKeys,
    documents: ClientDocuments,
  },
  mount(http, { database, clock, log, limits, settings, accounts, grants, keys, documents, ...deps }) {
    const records = createRecordStore({ database, clock });
    const clients = createClientStore({ database, clock });
    const scopes = deps.known.known.filter((scope) => scope.includes(':'));
    const tokenRequests = new WeakMap<IncomingMessage, TokenRequest>();

    const provider = createProviderCache(keys, settings.oauth_key_check_seconds * 1000, async (current) => {
      const { createProvider } = await loadProvider(log);
      const built = createProvider({
        origins: http.origins(),
        keys: current,
        stores: { records, grants, clients },
        accounts,
        documents,
        scopes,
        log,
        renderError: (ctx, message) => showProblem(ctx, ctx.status, 'Something went wrong', message),
      });
      built.use(async (ctx, next) => {
        const request = tokenRequests.get(ctx.req);
        await answerOutage(ctx, () => {
          if (request && ctx.path === PATHS.revoke)
            return answerRevocation(ctx, next, request, { records, grants });
          return request?.form.get('grant_type') === 'refresh_token'
            ? answerRefresh(ctx, next, request, { records, log })
            : next();
        });
        dropSessionCookie(ctx);
        holdRedirect(ctx, http.origins().web);
      });
      built.on('grant.success', ({ oidc: { client } }) => {
        if (!client) return;
        const { clientId } = client;
        (URL.canParse(clientId)
          ? clients.keepDocument(clientId, client.metadata())
          : clients.touch(clientId)
        ).catch((err: unknown) => log.warn({ err }, 'recording the use of a client failed'));
      });
      return built;
    });

    mountDiscovery(http, {
      issuer: () => http.origins().base,
      server: async () => authorizationServer(http.origins(), await documents.supported()),
      maxAgeS: (document) => (document === 'resource' || documents.fixed ? DISCOVERY_MAX_AGE_S : undefined),
    });
    const { invitations, sessions, audit, pending } = deps;
    const stores = { accounts, invitations, sessions, grants };
    const unopened = async () => (deps.deployment.loopback ? deps.firstRun.unopened() : undefined);
    const hasDashboard = deps.deployment.hasPages;
    const parts = { http, ...stores, provider, limits, audit, pending, log, unopened, hasDashboard, scopes };
    mountEndpoints({ ...parts, tokenRequests });
    mountPages(parts);
  },
});

/** Removes the library's session cookie: logins use our own. */
function dropSessionCookie(ctx: Context): void {
  const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
  if (cookies.length === 0) return;
  const ours = cookies.filter((cookie) => !cookie.startsWith(PROVIDER_SESSION_COOKIE));
  if (ours.length > 0) ctx.set('Set-Cookie', ours);
  else ctx.remove('Set-Cookie');
}
