import { ServiceError, networkOf } from '@service-mcp/core';
import type { Context, Middleware } from 'koa';
import { readForm, refuseForeign } from './form.js';
import { page, type PageParts } from './visitor.js';

/** A peer may be an office: many people behind one address. */
const RATE = { limit: 300, windowSeconds: 60 } as const;

/** What answers a form: one of this site, read once, and not too many a minute from one peer. */
export function posted(
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
        `Too many tries. Wait ${rate.resetSeconds} seconds and try again.`,
      );
    }
    refuseForeign(http, ctx);
    await handler(ctx, await readForm(http, ctx));
  });
}
