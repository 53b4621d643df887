import type Router from '@koa/router';
import type { Context } from 'koa';
import type { CallContext, Surface } from '../caller.js';
import type { Selection } from '../toolset.js';

export * from './envelope.js';

/** The HTTP server as a transport sees it. */
export interface HttpMount {
  readonly router: Router;
  /** The address clients use, without a slash at the end: `http://127.0.0.1:8080`. */
  baseUrl(): string;
  /**
   * Authenticates the request and builds its call context: caller, request id, deadline, a signal that
   * aborts when the client goes away, and the selection of `X-Service-Toolset`, `?toolset=` and `?readonly=`.
   * `ceiling: true` selects everything under the ceiling instead. Throws UNAUTHENTICATED, INVALID_ARGUMENT.
   */
  call(ctx: Context, surface: Surface, options?: { readonly ceiling?: boolean }): Promise<CallContext>;
  /** What `call` would select: for a transport that lists by one rule and calls by the other. */
  selection(ctx: Context, options?: { readonly ceiling?: boolean }): Selection;
  /**
   * The JSON body; `undefined` where there is none. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
   * (over `limit` bytes) and PARSE_ERROR.
   */
  readJson(ctx: Context, limit: number): Promise<unknown>;
}
