import type { IncomingMessage } from 'node:http';
import { ERRORS, ServiceError } from '@service-mcp/core';
import type { Context, Middleware } from 'koa';
import { setPageHeaders } from '../pages/layout.js';
import { countRequest, pageRoutes, setRetryAfter } from '../pages/page-routes.js';
import type { PageParts } from '../pages/visitor.js';
import { PATHS } from './addresses.js';
import { normaliseClientMetadata } from './client-metadata.js';
import { rewriteRequest } from './rewrite-request.js';
import type { TokenRequest } from './refresh-grace.js';
import {
  assertOwnResources,
  authorizationQuery,
  canonicaliseResources,
  formOfJson,
} from './request-parameters.js';

const TOKEN_LIMIT = 32 * 1024;
const REGISTRATION_LIMIT = 16 * 1024;
/** One address may be a whole office. */
const RATES = {
  authorize: { limit: 120, windowSeconds: 60 },
  token: { limit: 600, windowSeconds: 60 },
  register: { limit: 60, windowSeconds: 300 },
} as const;

interface EndpointParts extends PageParts {
  /** Parsed requests of the token and revocation endpoints, for the middleware inside the authorization server. */
  readonly tokenRequests: WeakMap<IncomingMessage, TokenRequest>;
}

/** Mounts the endpoints of the authorization server: each rewrites the request and forwards it to the library. */
export function mountEndpoints(parts: EndpointParts): void {
  const { http, provider, scopes, tokenRequests } = parts;
  const { router } = http;
  const { get } = pageRoutes(parts);
  const origins = () => http.origins();
  http.openTo(PATHS.token, PATHS.revoke, PATHS.register, PATHS.jwks);

  const forward = async (ctx: Context, request: IncomingMessage) => {
    const handler = (await provider.current()).callback();
    ctx.respond = false; // the library writes the response itself
    await handler(request, ctx.res);
  };
  const count = (ctx: Context, endpoint: keyof typeof RATES) =>
    countRequest(parts, ctx, `oauth:${endpoint}`, RATES[endpoint]);

  get(PATHS.authorize, async (ctx) => {
    setPageHeaders(ctx);
    await count(ctx, 'authorize');
    const url = `${PATHS.authorize}?${authorizationQuery(ctx.querystring, origins(), scopes)}`;
    await forward(ctx, rewriteRequest(ctx, { origin: origins().web, url }));
  });
  get(`${PATHS.authorize}/:uid`, async (ctx) => {
    setPageHeaders(ctx);
    await forward(ctx, rewriteRequest(ctx, { origin: origins().web }));
  });
  router.get(PATHS.jwks, (ctx) => forward(ctx, rewriteRequest(ctx, { origin: origins().base })));

  const withForm: Middleware = async (ctx) => {
    await count(ctx, 'token');
    const type = ctx.is('application/x-www-form-urlencoded', 'application/json');
    if (!type)
      throw new ServiceError(
        'INVALID_REQUEST',
        'The content type is not supported. Send a form (application/x-www-form-urlencoded) or JSON.',
      );
    const form =
      type === 'application/json'
        ? formOfJson(await http.readJson(ctx, TOKEN_LIMIT))
        : new URLSearchParams((await http.readBody(ctx, TOKEN_LIMIT)).toString('utf8'));
    canonicaliseResources(form, origins());
    assertOwnResources(form, origins());
    const request = rewriteRequest(ctx, { origin: origins().base, body: Buffer.from(form.toString()) });
    tokenRequests.set(request, { form, authorization: ctx.headers.authorization });
    await forward(ctx, request);
  };
  router.post([PATHS.token, PATHS.revoke], withOAuthErrors(withForm));

  router.post(
    PATHS.register,
    withOAuthErrors(async (ctx) => {
      await count(ctx, 'register');
      const metadata = normaliseClientMetadata(await http.readJson(ctx, REGISTRATION_LIMIT));
      const body = Buffer.from(JSON.stringify(metadata));
      await forward(ctx, rewriteRequest(ctx, { origin: origins().base, type: 'application/json', body }));
    }),
  );
}

/** Formats errors as in RFC 6749, 5.2 and RFC 7591, 3.2.2, with the status of the error table. */
function withOAuthErrors(handler: Middleware): Middleware {
  return async (ctx, next) => {
    try {
      await handler(ctx, next);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'INTERNAL') throw error;
      const isPassing = error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE';
      const code = isPassing ? 'temporarily_unavailable' : 'invalid_request';
      ctx.status = ERRORS[error.code].http;
      ctx.body = { error: error.details?.['oauth'] ?? code, error_description: error.message };
      ctx.set('Cache-Control', 'no-store');
      setRetryAfter(ctx, error);
    }
  };
}
