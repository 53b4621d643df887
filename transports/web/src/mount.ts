import { ServiceError, type Deployment } from '@service-mcp/core';
import { acceptsPage, sendAsset, type Asset, type HttpMount } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { loadAssets } from './assets.js';

const PAGE = 'index.html';

/**
 * Files and addresses of this origin alone, nothing inline, no string that becomes code or markup (Trusted Types).
 * `service` is the one policy that a script of ours may create, for the address of a worker.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types service',
].join('; ');

/**
 * `GET /app/`: the dashboard, to which `/` leads browsers where it is built. Its files under their own names; every other path below is a deep link and answers with
 * the page. Addresses are relative, for a service behind a path.
 */
export function mountDashboard({ router }: HttpMount, deployment: Deployment): void {
  let loading: ReturnType<typeof loadAssets> | undefined;
  const assets = () =>
    (loading ??= loadAssets().catch((thrown: unknown) => {
      loading = undefined; // the next request reads them again
      throw thrown;
    }));

  router.get('/', async (ctx, next) => {
    if (!acceptsPage(ctx) || !(await assets()).has(PAGE)) return next();
    ctx.redirect('app/');
    ctx.vary('Accept');
    return undefined;
  });
  router.get('/app', async (ctx) => {
    if (ctx.path.endsWith('/')) return sendPage(ctx, '', await assets(), deployment);
    ctx.redirect(`app/${ctx.search}`);
    ctx.status = 308;
    return undefined;
  });
  router.get('/app/*path', async (ctx, next) => {
    const path = ctx.path.slice('/app/'.length);
    const found = await assets();
    const asset = path === PAGE ? undefined : found.get(path);
    if (asset) return sendAsset(ctx, asset);
    if (path.startsWith('assets/')) return next();
    return sendPage(ctx, path, found, deployment);
  });
}

/** The page, with the root of the dashboard as seen from `path` and the facts that it needs before its first request. */
function sendPage(
  ctx: Context,
  path: string,
  assets: ReadonlyMap<string, Asset>,
  deployment: Deployment,
): void {
  const page = assets.get(PAGE);
  if (!page) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The dashboard is not built in this installation. Run npm run build, then start the service again.',
    );
  }
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const { singleOwner, version } = deployment;
  const facts = JSON.stringify({ mcp: `${deployment.origins().mcp}/mcp`, accounts: !singleOwner, version });
  ctx.status = 200;
  ctx.set('Content-Type', page.type);
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cache-Control', 'no-store'); // else the back button brings back, after a sign-out, what the page showed
  ctx.body = page.bytes
    .toString()
    .replace('<base href="./"', () => `<base href="${root}"`)
    .replace('name="deployment" content=""', () => `name="deployment" content="${attribute(facts)}"`);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
