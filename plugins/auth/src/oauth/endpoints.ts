import type { IncomingMessage } from 'node:http';
import { ERRORS, ServiceError, networkOf } from '@service-mcp/core';
import type { Context, Middleware } from 'koa';
import { setPageHeaders } from '../pages/layout.js';
import { showFailure } from '../pages/page-routes.js';
import type { PageParts } from '../pages/visitor.js';
import { PATHS } from './addresses.js';
import { ClientMetadataError, normaliseClientMetadata } from './client-metadata.js';
import { rewriteRequest } from './rewrite-request.js';
import type { TokenRequest } from './refresh-grace.js';
import { authorizationQuery, formOf } from './request-parameters.js';

const TOKEN_LIMIT = 32 * 1024;
const REGISTRATION_LIMIT = 16 * 1024;
/** One address may be a whole office. */
const RATES = {
  authorize: { limit: 120, windowSeconds: 60 },
  token: { limit: 600, windowSeconds: 60 },
  register: { limit: 60, windowSeconds: 300 },
} as const;

interface EndpointParts extends Pick<PageParts, 'http' | 'provider' | 'limits' | 'scopes' | 'log'> {
  /** Parsed requests of the token endpoint, for the middleware inside the authorization server. */
  readonly tokenRequests: WeakMap<IncomingMessage, TokenRequest>;
}

/** Mounts the endpoints of the authorization server: each rewrites the request and forwards it to the library. */
export function mountEndpoints(parts: EndpointParts): void {
  const { http, provider, limits, scopes, tokenRequests } = parts;
  const { router } = http;
  const origins = () => http.origins();
  http.openTo(PATHS.token, PATHS.revoke, PATHS.register, PATHS.jwks);

  const forward = async (ctx: Context, request: IncomingMessage) => {
    const handler = (await provider.current()).callback();
    ctx.respond = false; // the library writes the response itself
    await handler(request, ctx.res);
  };
  const countRequest = async (ctx: Context, endpoint: keyof typeof RATES) => {
    const rate = await limits.take(`oauth:${endpoint}:${networkOf(http.peer(ctx))}`, RATES[endpoint]);
    if (rate.allowed) return;
    ctx.set('Retry-After', String(rate.resetSeconds));
    throw new ServiceError('RATE_LIMITED', `Too many requests. Try again in ${rate.resetSeconds} s.`);
  };

  router.get(PATHS.authorize, async (ctx) => {
    setPageHeaders(ctx);
    try {
      await countRequest(ctx, 'authorize');
    } catch (error) {
      showFailure(parts.log, ctx, error);
      return;
    }
    const url = `${PATHS.authorize}?${authorizationQuery(ctx.querystring, origins(), scopes)}`;
    await forward(ctx, rewriteRequest(ctx, { origin: origins().web, url }));
  });
  router.get(`${PATHS.authorize}/:uid`, async (ctx) => {
    setPageHeaders(ctx);
    await forward(ctx, rewriteRequest(ctx, { origin: origins().web }));
  });
  router.get(PATHS.jwks, (ctx) => forward(ctx, rewriteRequest(ctx, { origin: origins().base })));

  const withForm: Middleware = async (ctx) => {
    await countRequest(ctx, 'token');
    const type = mediaType(ctx);
    if (type !== 'application/x-www-form-urlencoded' && type !== 'application/json')
      throw new ServiceError(
        'INVALID_REQUEST',
        'The content type is not supported. Send a form (application/x-www-form-urlencoded) or JSON.',
      );
    const form = formOf(type, await http.readBody(ctx, TOKEN_LIMIT), origins());
    const request = rewriteRequest(ctx, { origin: origins().base, body: Buffer.from(form.toString()) });
    if (ctx.path === PATHS.token)
      tokenRequests.set(request, { form, authorization: ctx.headers.authorization });
    await forward(ctx, request);
  };
  router.post([PATHS.token, PATHS.revoke], withOAuthErrors(withForm));

  router.post(
    PATHS.register,
    withOAuthErrors(async (ctx) => {
      await countRequest(ctx, 'register');
      const metadata = normaliseClientMetadata(await http.readJson(ctx, REGISTRATION_LIMIT));
      const body = Buffer.from(JSON.stringify(metadata));
      await forward(ctx, rewriteRequest(ctx, { origin: origins().base, type: 'application/json', body }));
    }),
  );
}

function mediaType(ctx: Context): string {
  return (ctx.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Formats errors as in RFC 6749, 5.2 and RFC 7591, 3.2.2, with the status of the error table. */
function withOAuthErrors(handler: Middleware): Middleware {
  return async (ctx, next) => {
    try {
      await handler(ctx, next);
    } catch (error) {
      if (error instanceof ClientMetadataError) {
        ctx.status = 400;
        ctx.body = { error: error.code, error_description: error.message };
      } else if (error instanceof ServiceError && error.code !== 'INTERNAL') {
        ctx.status = ERRORS[error.code].http;
        if (error.code === 'PAYLOAD_TOO_LARGE') ctx.set('Connection', 'close');
        const code = error.code === 'RATE_LIMITED' ? 'temporarily_unavailable' : 'invalid_request';
        ctx.body = { error: code, error_description: error.message };
      } else throw error;
      ctx.set('Cache-Control', 'no-store');
    }
  };
}
