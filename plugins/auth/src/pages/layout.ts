import type { Context } from 'koa';
import { ICON, STYLESHEET } from './assets.js';
import { html, type Html } from './html.js';

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
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} – Context memory and search</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="${ICON.path}" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
      </head>
      <body>
        <header><img src="${ICON.path}" width="26" height="26" alt="" />Context memory and search</header>
        <main>
          <h1>${page.title}</h1>
          ${page.body}
        </main>
      </body>
    </html> `.markup;
}

/** Responds with an error page: what went wrong, what to do, and a link to continue. */
export function showProblem(
  ctx: Context,
  status: number,
  title: string,
  message: string,
  next?: { readonly href: string; readonly text: string },
): void {
  const way = next && html`<p class="last"><a href="${next.href}">${next.text}</a></p>`;
  show(ctx, {
    title,
    status,
    body: html`<p class="${way ? '' : 'last'}">${message}</p>
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
