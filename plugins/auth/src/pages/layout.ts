import type { Context } from 'koa';
import { html, type Html } from './html.js';
import { setPageHeaders } from './security-headers.js';
import { STYLESHEET } from './stylesheet.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** See {@link setPageHeaders}. */
  readonly formAction?: string | undefined;
}

/** Answers with a page. */
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
        <link rel="stylesheet" href="${STYLESHEET.path}" />
      </head>
      <body>
        <header>Context memory and search</header>
        <main>
          <h1>${page.title}</h1>
          ${page.body}
        </main>
      </body>
    </html> `.markup;
}

/** Answers with words about what went wrong, and what to do. */
export function showProblem(ctx: Context, status: number, title: string, message: string): void {
  show(ctx, { title, status, body: html`<p class="last">${message}</p>` });
}
