import type { Context } from 'koa';

/**
 * The headers of every page. `formAction` is an additional target for forms: browsers apply the policy to redirects
 * too, and a consent redirects to the application. `no-referrer` instead of `same-origin` would set the Origin of
 * forms to null.
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
