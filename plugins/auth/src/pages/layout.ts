import { html, pageDocument, type Html } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { ICON, STYLESHEET } from './assets.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** See {@link setPageHeaders}. */
  readonly formAction?: string | undefined;
}

/** Responds with a page. */
export function show(ctx: Context, page: Page): void {
  setPageHeaders(ctx, 'formAction' in page ? page.formAction : '');
  ctx.status = page.status ?? 200;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = pageDocument({
    title: page.title,
    body: page.body,
    style: html`<link rel="stylesheet" href="${STYLESHEET.path}" />`,
    icon: ICON.path,
    start: '/',
  });
}

/** Responds with an error page: what went wrong, what to do, and a link to continue. */
export function showProblem(
  ctx: Context,
  status: number,
  title: string,
  message: string,
  next?: { readonly href: string; readonly text: string },
): void {
  const way = next && html`<p><a href="${next.href}">${next.text}</a></p>`;
  show(ctx, {
    title,
    status,
    body: html`<p>${message}</p>
      ${way}`,
  });
}

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
