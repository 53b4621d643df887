import { createHash } from 'node:crypto';
import type { Deployment, ToolInfo } from '@service-mcp/core';
import type { HttpMount } from '@service-mcp/core/http';
import { openApiDocument } from './document.js';

interface Rendered {
  readonly baseUrl: string;
  readonly text: string;
  readonly etag: string;
}

/** `GET /openapi.json`: open to everyone, made once for each address of the service. */
export function mountDocument(http: HttpMount, tools: readonly ToolInfo[], deployment: Deployment): void {
  let rendered: Rendered | undefined;
  http.router.get('/openapi.json', (ctx) => {
    const baseUrl = http.baseUrl();
    if (rendered?.baseUrl !== baseUrl) rendered = render(tools, baseUrl, deployment);
    ctx.status = 200;
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('ETag', rendered.etag);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = rendered.text;
  });
}

function render(tools: readonly ToolInfo[], baseUrl: string, { version, singleOwner }: Deployment): Rendered {
  const text = JSON.stringify(openApiDocument(tools, { baseUrl, version, authenticated: !singleOwner }));
  return { baseUrl, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
