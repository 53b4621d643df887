import type { Context } from 'koa';

/** A static file, held in memory. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Compressed forms; none where that saves nothing. */
  readonly encoded?: { readonly br: Buffer | undefined; readonly gzip: Buffer | undefined };
  /** Of the content, in quotes. */
  readonly etag: string;
  /** True at an address that changes with the content: caches keep it for a year. */
  readonly immutable: boolean;
}

const YEAR_S = 31_536_000;

/** Answers with a file, compressed where the client takes it, or with 304 where the client has it. */
export function sendAsset(ctx: Context, { type, bytes, encoded, etag, immutable }: Asset): void {
  ctx.status = 200;
  ctx.set('Content-Type', type);
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', immutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
  if (encoded) ctx.vary('Accept-Encoding');
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  // Only the forms that there are: a client that prefers another one is not sent the plain bytes for it.
  const forms = (['br', 'gzip'] as const).filter((form) => encoded?.[form]);
  const encoding = forms.length > 0 && ctx.acceptsEncodings(...forms, 'identity');
  const body = encoding === 'br' || encoding === 'gzip' ? encoded?.[encoding] : undefined;
  if (body) ctx.set('Content-Encoding', String(encoding));
  ctx.body = body ?? bytes;
}
