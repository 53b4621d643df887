import type Router from '@koa/router';
import type { Context } from 'koa';
import type { CallContext, Caller, Surface } from '../caller.js';
import type { ServiceError } from '../errors.js';
import type { Origins } from '../services.js';
import type { Selection } from '../toolset.js';

export * from './challenge.js';
export * from './envelope.js';
export * from './event-stream.js';
export * from './html.js';
export * from './line-stream.js';
export * from './page-look.js';
export { checkJsonType, parseJson, restBeforeClose } from './body.js';
export { acceptsPage } from './pages.js';
export { isLoopback } from './guard.js';
export * from './send-asset.js';

/** The body of a failure before any route, or of a method that its address does not take, in the format of a path (in lower case, without a slash at its end). */
export type FailureBody = (error: ServiceError, path: string) => object | undefined;

/** The HTTP server without the calls of a catalog. */
export interface HttpBase {
  readonly router: Router;
  /** The addresses clients use. Ask when a request is served: a free port is known only then. */
  origins(): Origins;
  /** `origins().base`. */
  baseUrl(): string;
  /** The IP address of the client, behind trusted proxies too. */
  peer(ctx: Context): string;
  /** The value of `WWW-Authenticate` for a failure that a credential, or a better one, would fix. */
  challenge(surface: Surface, error: ServiceError, caller?: Caller): string;
  /** Lets pages of every Origin read these addresses (exact paths): documents and endpoints that hold for anyone. */
  openTo(...paths: string[]): void;
  /**
   * Lets pages of other ports of this machine call these addresses (exact paths), as `server.loopback_pages` permits:
   * endpoints for programs, which send a credential of their own.
   */
  openToLoopback(...paths: string[]): void;
  /**
   * Gives failures before any route (a Host or Origin that is not ours, a service that stops) and METHOD_NOT_ALLOWED the
   * format of their path: the body that `bodyOf` returns, or the envelope.
   */
  formatFailures(bodyOf: FailureBody): void;
  /**
   * The JSON body; `undefined` where there is none. The time of the call begins again once it is there. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
   * (over `limit` bytes) and PARSE_ERROR.
   */
  readJson(ctx: Context, limit: number): Promise<unknown>;
  /** The body as it came, likewise. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE (an encoded one). */
  readBody(ctx: Context, limit: number): Promise<Buffer>;
}

/** The HTTP server as a transport sees it. */
export interface HttpMount extends HttpBase {
  /**
   * Authenticates the request and builds its call context: caller, request id, deadline, a signal that
   * aborts when the client goes away, and the selection of `X-Service-Toolset`, `?toolset=` and `?readonly=`.
   * `ceiling: true` selects everything under the ceiling instead; `anonymous: true` lets a request without a
   * good credential through, as the anonymous caller; `endless: true` sets no deadline, for a stream. `rate` counts the
   * call before its body is read: against the limit of the tool that the route names, or as one of the messages that name
   * their tool in the body. Throws UNAUTHENTICATED, INVALID_ARGUMENT, RATE_LIMITED.
   */
  call(
    ctx: Context,
    surface: Surface,
    options?: {
      readonly ceiling?: boolean;
      readonly anonymous?: boolean;
      readonly endless?: boolean;
      readonly rate?: { readonly tool: string } | 'messages';
    },
  ): Promise<CallContext>;
  /** What `call` would select: for a transport that lists by one rule and calls by the other. */
  selection(ctx: Context, options?: { readonly ceiling?: boolean }): Selection;
}
