import type { Context } from 'koa';

/**
 * The headers of every page. `formAction` is where a form may lead besides this site: browsers hold its redirects to
 * the policy too, and a consent ends at the application. `same-origin` and not `no-referrer`, which would turn the
 * Origin of a form into null.
 */
export function setPageHeaders(ctx: Context, formAction: string | undefined = ''): void {
  const target = formAction === undefined ? '' : `form-action 'self'${formAction && ` ${formAction}`}; `;
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src 'self'; ${target}base-uri 'none'; frame-ancestors 'none'`,
  );
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
}
