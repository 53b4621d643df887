import type Router from '@koa/router';
import { sendAsset } from '@service-mcp/core/http';
import { docsFile } from './files.js';

/**
 * Scripts and styles from this origin alone; no frame, no form, no foreign image, so that whatever a tool's
 * description smuggles in has nowhere to go. Swagger UI draws its icons from data: URLs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs`: the API page, and its files under `/docs/`. Addresses are relative, for a service behind a path. */
export function mountDocs(router: Router): void {
  router.get('/docs', async (ctx) => {
    if (ctx.path.endsWith('/')) {
      ctx.redirect('../docs');
      ctx.status = 308;
      return;
    }
    ctx.status = 200;
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.set('Content-Security-Policy', POLICY);
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = await page();
  });
  router.get('/docs/:file', async (ctx, next) => {
    const found = docsFile(ctx.params['file'] ?? '');
    if (!found) return next();
    const file = await found;
    sendAsset(ctx, {
      ...file,
      etag: `"${file.digest}"`,
      immutable: ctx.querystring === `v=${file.digest}`,
    });
    return undefined;
  });
}

/** The page holds nothing of any tool: names and texts reach it through /openapi.json alone. */
async function page(): Promise<string> {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API of the Context Memory and Search Service</title>
    <link rel="icon" type="image/png" href="${await address('favicon-32x32.png')}">
    <link rel="stylesheet" href="${await address('swagger-ui.css')}">
    <link rel="stylesheet" href="${await address('page.css')}">
    <script src="${await address('swagger-ui-bundle.js')}" defer></script>
    <script src="${await address('page.js')}" defer></script>
  </head>
  <body>
    <main id="api"></main>
    <noscript>This page needs JavaScript. The same document as JSON: <a href="openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`;
}

async function address(name: string): Promise<string> {
  const file = await docsFile(name);
  return file ? `docs/${name}?v=${file.digest}` : '';
}
