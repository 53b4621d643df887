import { createHash } from 'node:crypto';
import { ICON_SVG, PAGE_CSS, type HttpMount } from '@service-mcp/core/http';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export const STYLESHEET = asset('css', 'text/css; charset=utf-8', PAGE_CSS);
export const ICON = asset('svg', 'image/svg+xml', ICON_SVG);

/** Serves the stylesheet and the icon. */
export function mountAssets({ router }: HttpMount): void {
  for (const { path, type, text } of [STYLESHEET, ICON]) {
    router.get(path, (ctx) => {
      ctx.type = type;
      ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.body = text;
    });
  }
}

/** The path contains a digest of the content, so that browsers can cache it forever. */
function asset(extension: string, type: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/oauth/assets/${digest}.${extension}`, type, text };
}
