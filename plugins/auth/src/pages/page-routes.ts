import {
  ERRORS,
  ServiceError,
  networkOf,
  toServiceError,
  type Log,
  type RateLimits,
} from '@service-mcp/core';
import type { Context } from 'koa';
import { readForm, rejectForeignForm } from './form.js';
import { showProblem } from './layout.js';
import type { PageParts } from './visitor.js';

/** One address may be a whole office. */
const RATE = { limit: 300, windowSeconds: 60 } as const;

/** Mounts pages, which show their errors as a page too. */
export function pageRoutes(parts: PageParts) {
  const { http, log } = parts;
  const page = (handler: (ctx: Context) => Promise<void> | void) => async (ctx: Context) => {
    try {
      await handler(ctx);
    } catch (thrown) {
      showFailure(log, ctx, thrown);
    }
  };
  return {
    get: (path: string, handler: (ctx: Context, query: URLSearchParams) => Promise<void> | void): void => {
      http.router.get(
        path,
        page((ctx) => handler(ctx, new URLSearchParams(ctx.querystring))),
      );
    },
    /** Handles a posted form: rate-limited per peer, and only from our own pages. */
    post: (path: string, handler: (ctx: Context, form: URLSearchParams) => Promise<void>): void => {
      const handle = page(async (ctx) => {
        await countRequest(parts, ctx, 'page', RATE);
        rejectForeignForm(http, ctx);
        await handler(ctx, await readForm(http, ctx));
      });
      http.router.post(path, handle);
    },
  };
}

/** Counts a request of a peer under a name. Throws RATE_LIMITED. */
export async function countRequest(
  { http, limits }: PageParts,
  ctx: Context,
  name: string,
  rate: Parameters<RateLimits['take']>[1],
): Promise<void> {
  const { allowed, resetSeconds } = await limits.take(`${name}:${networkOf(http.peer(ctx))}`, rate);
  if (allowed) return;
  ctx.set('Retry-After', String(resetSeconds));
  throw new ServiceError('RATE_LIMITED', `Too many requests. Wait ${resetSeconds} seconds and try again.`);
}

function showFailure(log: Log, ctx: Context, thrown: unknown): void {
  const error = toServiceError(thrown);
  if (error.code === 'INTERNAL') log.error({ err: thrown }, 'rendering a page failed');
  const title = error.code === 'RATE_LIMITED' ? 'Too many attempts' : 'Something went wrong';
  const message =
    error.code === 'INTERNAL'
      ? 'The service failed. Try again; if the problem persists, tell the operator.'
      : error.message;
  showProblem(ctx, ERRORS[error.code].http, title, message);
}

/** Redirects to another page after a form. */
export function goTo(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'same-origin');
}
