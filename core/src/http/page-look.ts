import { readFileSync } from 'node:fs';
import { html, type Html } from './html.js';

const FOLDER = new URL('../../styles/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

/** The stylesheet of pages that the server writes; the dashboard builds on the same files. Light and dark, from 320 px. */
export const PAGE_CSS = ['tokens.css', 'base.css', 'controls.css', 'pages.css'].map(read).join('');

/** The icon of the service, for light and dark. */
export const ICON_SVG = read('icon.svg');

/** A page that the server writes. */
export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** The element that brings PAGE_CSS: a link, or a style that the policy names by its hash. */
  readonly style: Html;
  /** Address of ICON_SVG. */
  readonly icon: string;
  /** Address of the start page. */
  readonly start: string;
}

/** The document of a page; it needs a policy with its style and its icon. */
export function pageDocument({ title, body, style, icon, start }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Context memory</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="${icon}" />
        ${style}
      </head>
      <body>
        <header>
          <a class="brand" href="${start}"
            ><img src="${icon}" width="28" height="28" alt="" />Context memory</a
          >
        </header>
        <main class="card">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.markup;
}
