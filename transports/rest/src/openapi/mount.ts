import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sendAsset, type Asset, type HttpMount } from '@service-mcp/core/http';
import type { OpenApiDocument } from './document.js';

/** `GET /openapi.json`: open to everyone, made and compressed once for each address of the service. */
export function mountDocument(http: HttpMount, make: (baseUrl: string) => OpenApiDocument): void {
  let rendered: { readonly baseUrl: string; readonly asset: Asset } | undefined;
  http.router.get('/openapi.json', (ctx) => {
    const baseUrl = http.baseUrl();
    if (rendered?.baseUrl !== baseUrl) rendered = { baseUrl, asset: render(make(baseUrl)) };
    sendAsset(ctx, rendered.asset);
  });
}

function render(document: OpenApiDocument): Asset {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    type: 'application/json; charset=utf-8',
    bytes,
    encoded: { br: undefined, gzip: gzipSync(bytes) },
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    immutable: false,
  };
}
