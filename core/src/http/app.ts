import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { requestIdOf } from '../call/accept.js';
import { ERRORS, ServiceError, isChallenged, toServiceError } from '../errors.js';
import type { Log } from '../log.js';
import type { Origins } from '../services.js';
import type { Surface } from '../caller.js';
import { limitUnreadBody, readBody, readJson } from './body.js';
import type { RequestState } from './call.js';
import { answerClientError } from './client-error.js';
import { cors } from './cors.js';
import { dispatch, nothingHere } from './dispatch.js';
import { failureEnvelope } from './envelope.js';
import { settleForwarded, type Network } from './forwarded.js';
import { createGuard } from './guard.js';
import type { HttpBase } from './index.js';

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Asked for once the server listens. */
  readonly origins: () => Origins;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly Network[];
  readonly version: string;
  readonly log: Log;
  /** See HttpMount.challenge. */
  readonly challenge: (surface: Surface, error: ServiceError) => string;
}

export interface HttpServer {
  readonly mount: HttpBase;
  /** Binds; resolves with where. Throws the error of `listen`. */
  listen(): Promise<AddressInfo>;
  /** Serves the hosts of its origins, which are known once it listens; loopback names are served before. */
  open(): void;
  /** Stops accepting, calls `abort` to end what is in progress, and ends every connection. */
  close(abort: () => void): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 2_000; // Node's default is half a minute
const KEEP_ALIVE_MS = 65_000; // longer than the 60 s of common proxies, so that they close first
const CLOSE_GRACE_MS = 2_000;
const CLOSE_CHECK_MS = 20;

/** The HTTP server that every transport hangs its routes on. */
export function createHttpServer(settings: HttpSettings): HttpServer {
  const app = new Koa();
  const router = new Router();
  const guard = createGuard(settings);

  app.on('error', (err: unknown) => settings.log.error({ err }, 'a response failed'));
  app.proxy = true; // the headers that Koa trusts are settled below, before anything reads them
  const route = dispatch(router);
  const answer = async (ctx: Context): Promise<void> => {
    const { req, res } = ctx;
    const state = ctx.state as RequestState;
    const requestId = requestIdOf(req.headers);
    const startedAt = performance.now();
    state.requestId = requestId;
    state.startedAt = startedAt;
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store'); // caches do not know our key headers and cookies; documents override it
    try {
      guard(ctx);
      await route(ctx);
      if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) throw nothingHere();
    } catch (thrown) {
      const error = fromKoa(thrown);
      if (error.code === 'INTERNAL')
        settings.log.error({ err: error.cause, request_id: requestId }, 'a request failed');
      ctx.status = ERRORS[error.code].http;
      if (isChallenged(error)) ctx.set('WWW-Authenticate', settings.challenge('rest', error));
      if (error.code === 'PAYLOAD_TOO_LARGE') ctx.set('Connection', 'close');
      ctx.body = failureEnvelope(error, { requestId, startedAt, version: settings.version });
    } finally {
      // A call whose signal somebody has ends with its response instead.
      if (state.deadline?.watched === false) state.deadline.finish();
      if (!req.complete) limitUnreadBody(ctx);
    }
  };
  const sharing = cors(guard, settings.origins);
  app.use((ctx) => {
    const { req, state } = ctx;
    const { address, forwarded } = settleForwarded(req, settings.trustedProxies);
    state['peer'] = address;
    state['forwarded'] = forwarded;
    if (req.headers.origin === undefined) return answer(ctx); // not from a page: nothing to share
    return sharing(ctx, () => answer(ctx)).finally(() => limitUnreadBody(ctx));
  });
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requestTimeout: 0, // it would end streams of lines; readBody and limitUnreadBody limit other bodies
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    app.callback(),
  );
  server.on('clientError', answerClientError(settings.version));

  return {
    mount: {
      router,
      origins: settings.origins,
      baseUrl: () => settings.origins().base,
      peer: (ctx) => (ctx.state as RequestState).peer,
      challenge: settings.challenge,
      openTo: guard.openTo,
      readJson,
      readBody,
    },
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(settings.port, settings.host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      return server.address() as AddressInfo; // a TCP server's address is an object
    },
    open() {
      guard.allow(settings.origins());
    },
    async close(abort) {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      abort();
      const hurry = setInterval(() => server.closeIdleConnections(), CLOSE_CHECK_MS);
      const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearInterval(hurry);
      clearTimeout(impatient);
    },
  };
}

/** Koa's own errors (a malformed URL, say) keep their status by the nearest code; all others go through the catch-all. */
function fromKoa(thrown: unknown): ServiceError {
  if (
    !(thrown instanceof ServiceError) &&
    thrown instanceof Error &&
    (thrown as { status?: number }).status === 400
  ) {
    return new ServiceError('INVALID_REQUEST', 'The address of the request is malformed.', { cause: thrown });
  }
  return toServiceError(thrown);
}
