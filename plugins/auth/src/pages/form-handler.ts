import { ServiceError, networkOf } from '@service-mcp/core';
import type { Context, Middleware } from 'koa';
import { readForm, rejectForeignForm } from './form.js';
import { page, type PageParts } from './visitor.js';

/** One address may be a whole office. */
const RATE = { limit: 300, windowSeconds: 60 } as const;

/** Handles a posted form: rate-limited per peer, and only from our own pages. */
export function formHandler(
  parts: PageParts,
  handler: (ctx: Context, form: URLSearchParams) => Promise<void>,
): Middleware {
  const { http, limits } = parts;
  return page(parts, async (ctx) => {
    const rate = await limits.take(`page:${networkOf(http.peer(ctx))}`, RATE);
    if (!rate.allowed) {
      ctx.set('Retry-After', String(rate.resetSeconds));
      throw new ServiceError(
        'RATE_LIMITED',
        `Too many attempts. Wait ${rate.resetSeconds} seconds and try again.`,
      );
    }
    rejectForeignForm(http, ctx);
    await handler(ctx, await readForm(http, ctx));
  });
}
