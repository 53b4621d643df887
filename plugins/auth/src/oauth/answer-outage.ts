import { ServiceError } from '@service-mcp/core';
import type { Context } from 'koa';

export const UNAVAILABLE = 503;
const RETRY_AFTER_SECONDS = 2;

export function isOutage(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'UNAVAILABLE';
}

/** The service error that became one of the library (`translateOutage`), for who calls it outside of its own requests. */
export function untranslated(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof ServiceError ? error.cause : error;
}

/** Runs a request to the library. Outages get Retry-After, and an answer where the library does not catch them. */
export async function answerOutage(ctx: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    ctx.status = UNAVAILABLE;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { error: 'temporarily_unavailable', error_description: error.message };
  }
  if (ctx.status === UNAVAILABLE) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
}
