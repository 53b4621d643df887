import koaCors from '@koa/cors';
import type { Context, Middleware } from 'koa';
import type { Origins } from '../services.js';
import type { createGuard } from './guard.js';

const EXPOSED = [
  'WWW-Authenticate',
  'Mcp-Session-Id',
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Idempotency-Replayed',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
const MAX_AGE_S = 600;

/**
 * Lets the pages that the guard lets through read their answers. Only pages of the deployment's own origins may
 * send cookies: what runs on another port of this machine is somebody else's, where it is let through at all.
 */
export function cors(guard: ReturnType<typeof createGuard>, origins: () => Origins): Middleware {
  const isOwn = (origin: string) => Object.values(origins()).includes(origin);
  return koaCors({
    origin: (ctx: Context) => {
      const { origin = '' } = ctx.headers;
      return guard.allowsOrigin(origin, ctx) ? origin : '';
    },
    credentials: (ctx: Context) => isOwn(ctx.headers.origin ?? ''),
    allowMethods: METHODS,
    exposeHeaders: EXPOSED,
    maxAge: MAX_AGE_S,
  });
}
