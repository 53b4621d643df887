import {
  ERRORS,
  ServiceError,
  networkOf,
  toServiceError,
  type Log,
  type RateLimits,
} from '@service-mcp/core';
import type { Context } from 'koa';
import { untranslated } from '../oauth/answer-outage.js';
import { readForm, rejectForeignForm } from './form.js';
import { showProblem } from './layout.js';
import { visitorOf, type PageParts, type Visitor } from './visitor.js';

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

/** Makes handlers of pages for a signed-in visitor; others are sent to the sign-in page, and from there to `path`. */
export function forVisitor(parts: PageParts, path: string) {
  const login = `/oauth/login?${new URLSearchParams({ return_to: path }).toString()}`;
  return (handler: (ctx: Context, visitor: Visitor, form: URLSearchParams) => Promise<void>) =>
    async (ctx: Context, form: URLSearchParams): Promise<void> => {
      const visitor = await visitorOf(parts, ctx);
      if (visitor) await handler(ctx, visitor, form);
      else goTo(ctx, login);
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
  const requestId = ctx.state['requestId'] as string | undefined; // core sets it for every request
  const error = toServiceError(untranslated(thrown), requestId);
  if (error.code === 'INTERNAL') log.error({ err: thrown, request_id: requestId }, 'rendering a page failed');
  const title = error.code === 'RATE_LIMITED' ? 'Too many attempts' : 'Something went wrong';
  setRetryAfter(ctx, error);
  const page = error.details?.['page'];
  const next = typeof page === 'string' ? { href: page, text: page } : undefined;
  showProblem(ctx, ERRORS[error.code].http, title, error.message, next);
}

/** Where the error says how long to wait. */
export function setRetryAfter(ctx: Context, { details }: ServiceError): void {
  const seconds = details?.['retry_after'];
  if (typeof seconds === 'number') ctx.set('Retry-After', String(seconds));
}

/** Redirects to another page after a form. */
export function goTo(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'same-origin');
}
