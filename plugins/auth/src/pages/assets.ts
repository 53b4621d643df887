import { createHash } from 'node:crypto';
import type { HttpMount } from '@service-mcp/core/http';
import { CSS } from './stylesheet.js';

/** Three stacked layers; one icon for light and dark. */
const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5fbf"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"><path d="M16 6.5 26 12l-10 5.5L6 12Z"/><path d="m6 16.5 10 5.5 10-5.5" opacity=".8"/><path d="m6 21 10 5.5L26 21" opacity=".55"/></g></svg>`;

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export const STYLESHEET = asset('css', 'text/css; charset=utf-8', CSS);
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
