import type { IncomingMessage } from 'node:http';
import { AuditTrail, Clock, Database, Log, RateLimits, defineRoutes, optional } from '@service-mcp/core';
import type { Context } from 'koa';
import { config } from '../config.js';
import { mountPages } from '../pages/index.js';
import { showProblem } from '../pages/layout.js';
import { setPageHeaders } from '../pages/security-headers.js';
import { showFailure } from '../pages/visitor.js';
import { Accounts } from '../services/accounts.js';
import { Scopes } from '../services/scopes.js';
import { Sessions } from '../services/sessions.js';
import { ClientStore } from './client-store.js';
import { mountDiscovery } from './discovery.js';
import { PROVIDER_SESSION_COOKIE } from './addresses.js';
import { mountEndpoints } from './endpoints.js';
import { Grants } from './grant-store.js';
import { GuardedFetch } from './guarded-fetch.js';
import { loadProvider } from './load-provider.js';
import { createMountedProvider } from './mounted-provider.js';
import { RecordStore } from './record-store.js';
import { answerRefresh, type TokenRequest } from './refresh-grace.js';
import { SigningKeys } from './signing-keys.js';

export const oauthRoutes = defineRoutes({
  uses: {
    database: Database,
    clock: Clock,
    log: Log,
    limits: RateLimits,
    audit: optional(AuditTrail),
    settings: config.token,
    accounts: Accounts,
    sessions: Sessions,
    known: Scopes,
    grants: Grants,
    keys: SigningKeys,
    fetch: GuardedFetch,
  },
  mount(http, { database, clock, log, limits, settings, accounts, grants, keys, fetch, ...deps }) {
    const records = new RecordStore(database, clock);
    const clients = new ClientStore(database, clock);
    const scopes = deps.known.known.filter((scope) => scope.includes(':'));
    const tokenRequests = new WeakMap<IncomingMessage, TokenRequest>();

    const provider = createMountedProvider(keys, settings.oauth_key_check_seconds * 1000, async (current) => {
      const { createProvider } = await loadProvider(log);
      const built = createProvider({
        origins: http.origins(),
        keys: current,
        stores: { records, grants, clients },
        accounts,
        fetch,
        scopes,
        log,
        renderError: (ctx, message) => showProblem(ctx, ctx.status, 'This did not work', message),
      });
      built.use(async (ctx, next) => {
        const request = tokenRequests.get(ctx.req);
        if (request?.form.get('grant_type') === 'refresh_token')
          await answerRefresh(ctx, next, request, records);
        else await next();
        dropSessionCookie(ctx);
      });
      built.on('grant.success', (ctx) => {
        clients
          .touch(ctx.oidc.client?.clientId ?? '')
          .catch((err: unknown) => log.warn({ err }, 'a client was not noted as used'));
      });
      return built;
    });

    mountDiscovery(http);
    mountEndpoints({
      http,
      provider,
      limits,
      scopes,
      tokenRequests,
      showError: (ctx, error) => showFailure(log, ctx, error),
      secure: setPageHeaders,
    });
    const { sessions, audit } = deps;
    mountPages({ http, accounts, sessions, grants, provider, limits, audit, log, scopes });
  },
});

/** Who is signed in is our own cookie's to say. */
function dropSessionCookie(ctx: Context): void {
  const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
  if (cookies.length === 0) return;
  const kept = cookies.filter((cookie) => !cookie.startsWith(PROVIDER_SESSION_COOKIE));
  if (kept.length > 0) ctx.set('Set-Cookie', kept);
  else ctx.remove('Set-Cookie');
}
