import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { ERRORS, ServiceError, isChallenged, toServiceError } from '../errors.js';
import type { Authenticator, Log, Origins } from '../services.js';
import type { Selection } from '../toolset.js';
import { readBody, readJson } from './body.js';
import { createCaller } from './call.js';
import { cors } from './cors.js';
import { dispatch } from './dispatch.js';
import { failureEnvelope } from './envelope.js';
import { settleForwarded, type Network } from './forwarded.js';
import { createGuard } from './guard.js';
import { InFlight, type Flight } from './in-flight.js';
import type { HttpMount } from './index.js';
import { readSelection } from './selection.js';
import { answerUnread } from './unread.js';

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Asked for once the server listens. */
  readonly origins: () => Origins;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly Network[];
  readonly callTimeoutMs: number;
  readonly version: string;
  readonly log: Log;
  /** Absent in a single-owner deployment: every request is the local owner's. */
  readonly authenticator: Authenticator | undefined;
  readonly defaultSelection: Selection;
  readonly ceiling: Selection;
  /** The words that a request may select by; undefined where another service knows them. */
  readonly selectionWords: readonly string[] | undefined;
}

export interface HttpServer {
  readonly mount: HttpMount;
  /** Binds; resolves with where. Throws the error of `listen`. */
  listen(): Promise<AddressInfo>;
  /** Serves the hosts of its origins, which are known once it listens; loopback names are served before. */
  open(): void;
  /** Stops accepting, aborts the calls under way and ends every connection. */
  close(): Promise<void>;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;
const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_LOOK_MS = 2_000; // Node looks each half minute otherwise
const REQUEST_TIMEOUT_MS = 120_000; // a 16 MiB ingest over a slow line
const KEEP_ALIVE_MS = 65_000; // longer than the 60 s of common proxies, so that they close first
const CLOSE_GRACE_MS = 2_000;
const CLOSE_LOOK_MS = 20;

/** The HTTP server that every transport hangs its routes on. */
export function createHttpServer(settings: HttpSettings): HttpServer {
  const app = new Koa();
  const router = new Router();
  const flights = new InFlight(settings.callTimeoutMs);
  const guard = createGuard(settings);

  const select: HttpMount['selection'] = (ctx, { ceiling = false } = {}) =>
    readSelection(ctx, ceiling ? settings.ceiling : settings.defaultSelection, settings.selectionWords);

  const challenge: HttpMount['challenge'] = (surface, error) =>
    settings.authenticator?.challenge(surface, error) ?? 'Bearer';

  app.on('error', (err: unknown) => settings.log.error({ err }, 'a response failed'));
  app.proxy = true; // the headers that this believes are settled below, before anything reads them
  const answering: Middleware = async (ctx, next) => {
    const startedAt = performance.now();
    const { req, res, state } = ctx;
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    state['requestId'] = requestId;
    state['startedAt'] = startedAt;
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store'); // a cache knows nothing of our key headers and cookies; documents say otherwise
    try {
      guard(ctx);
      await next();
      if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) refuseUnknownPath(ctx);
    } catch (thrown) {
      const error = fromKoa(thrown);
      if (error.code === 'INTERNAL')
        settings.log.error({ err: error.cause, request_id: requestId }, 'a request failed');
      ctx.status = ERRORS[error.code].http;
      if (isChallenged(error)) ctx.set('WWW-Authenticate', challenge('rest', error));
      if (error.code === 'PAYLOAD_TOO_LARGE') ctx.set('Connection', 'close');
      ctx.body = failureEnvelope(error, { requestId, startedAt, version: settings.version });
    } finally {
      (state as { flight?: Flight }).flight?.land();
    }
  };
  const sharing = cors(guard, settings.origins);
  app.use((ctx, next) => {
    const { req, state } = ctx;
    const { address, forwarded } = settleForwarded(req, settings.trustedProxies);
    state['peer'] = address;
    state['forwarded'] = forwarded;
    if (req.headers.origin === undefined) return answering(ctx, next); // no page asks: nothing to share
    return sharing(ctx, () => Promise.resolve(answering(ctx, next)));
  });
  app.use(dispatch(router));
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_LOOK_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    app.callback(),
  );
  server.on('clientError', answerUnread(settings.version));

  return {
    mount: {
      router,
      origins: settings.origins,
      baseUrl: () => settings.origins().base,
      call: createCaller({ ...settings, flights, select }),
      peer: (ctx) => ctx.state['peer'] as string,
      challenge,
      openTo: guard.openTo,
      selection: select,
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
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      flights.stop();
      const hurry = setInterval(() => server.closeIdleConnections(), CLOSE_LOOK_MS);
      const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearInterval(hurry);
      clearTimeout(impatient);
    },
  };
}

function refuseUnknownPath(ctx: Context): never {
  const matched = (ctx as { matched?: ReadonlyArray<{ methods: readonly string[] }> }).matched ?? [];
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))];
  if (methods.length > 0) {
    ctx.set('Allow', methods.join(', '));
    throw new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${methods.join(', ')}.`);
  }
  throw new ServiceError(
    'NOT_FOUND',
    'There is nothing at this address. /mcp is the MCP endpoint; where REST is served, /openapi.json lists its routes.',
  );
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
