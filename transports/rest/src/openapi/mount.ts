import { createHash } from 'node:crypto';
import type { HttpMount } from '@service-mcp/core/http';
import type { OpenApiDocument } from './document.js';

interface Rendered {
  readonly baseUrl: string;
  readonly text: string;
  readonly etag: string;
}

/** `GET /openapi.json`: open to everyone, made once for each address of the service. */
export function mountDocument(http: HttpMount, make: (baseUrl: string) => OpenApiDocument): void {
  let rendered: Rendered | undefined;
  http.router.get('/openapi.json', (ctx) => {
    const baseUrl = http.baseUrl();
    if (rendered?.baseUrl !== baseUrl) rendered = render(baseUrl, JSON.stringify(make(baseUrl)));
    ctx.status = 200;
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('ETag', rendered.etag);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = rendered.text;
  });
}

function render(baseUrl: string, text: string): Rendered {
  return { baseUrl, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
