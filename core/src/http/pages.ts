import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Origins } from '../services.js';
import type { Check } from './health.js';
import { html, type Html } from './html.js';
import { ICON_SVG, PAGE_CSS, pageDocument } from './page-look.js';

/** Addresses for people, each shown where something is mounted there. */
const LINKS = [
  ['app', 'Dashboard', 'what the service holds, and how to connect a client'],
  ['docs', 'API page', 'every operation, to read and to try'],
  ['oauth/account', 'Your account', 'password, applications, invitations'],
  ['ready', 'Status', 'every part that is checked, as JSON'],
] as const;

const STYLE: Html = { markup: `<style>${PAGE_CSS}</style>` };
const CSS_HASH = createHash('sha256').update(PAGE_CSS).digest('base64');
const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;

interface PageParts {
  readonly version: string;
  readonly origins: () => Origins;
  readonly ready: () => Promise<readonly Check[]>;
}

/** Whether the request is that of a browser that opens an address: it prefers a page to JSON. */
export function acceptsPage(ctx: Context): boolean {
  return (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.accepts('json', 'html') === 'html';
}

/**
 * Answers at addresses without a route: `/` with the state of the service and where to go from there, the rest with a
 * page of status 404. A route that is mounted at `/` takes its place.
 */
export function createPages(parts: PageParts, router: Router): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const isStart = ctx.path === '/';
    // Relative, for a service behind a path of a proxy.
    const root = '../'.repeat(ctx.path.split('/').length - 2) || './';
    const links = LINKS.filter(([path]) => router.stack.some((layer) => layer.path === `/${path}`)).map(
      ([path, name, about]) => html`<li><a href="${root}${path}">${name}</a>: ${about}</li>`,
    );
    const body = isStart
      ? await startPage(parts)
      : html`<p>There is nothing at this address. <a href="${root}">To the start page</a></p>`;
    ctx.status = isStart ? 200 : 404;
    ctx.type = 'text/html; charset=utf-8';
    ctx.set(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${CSS_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    ctx.vary('Accept');
    ctx.body = pageDocument({
      title: isStart ? 'Context memory and search' : 'Page not found',
      body: html`${body}
        <ul>
          ${links}
        </ul>`,
      style: STYLE,
      icon: ICON,
      start: root,
    });
  };
}

async function startPage({ version, origins, ready }: PageParts): Promise<Html> {
  const faults = (await ready()).filter(({ status }) => status !== 'ok');
  const state = faults.some(({ status }) => status === 'failed') ? 'is not ready' : 'is ready';
  return html`<p><strong>Version ${version} ${state}.</strong></p>
    ${faults.map(({ name, status, message }) => html`<p>${name} (${status}): ${message}</p>`)}
    <p>
      MCP clients connect to <code>${origins().mcp}/mcp</code>: <code>service-mcp setup CLIENT</code> writes
      their settings.
    </p>
    <p>
      Guides for operators, clients and authors of plugins are in <code>docs/guides</code> of its repository.
    </p>`;
}
