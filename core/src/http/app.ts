import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { requestIdOf } from '../call/accept.js';
import { ERRORS, ServiceError, isChallenged, retryAfterOf, toServiceError } from '../errors.js';
import type { Log } from '../log.js';
import type { Origins } from '../services.js';
import { BodyBudget } from './body-budget.js';
import { drainBeforeClose, limitUnreadBody, readBody, readJson } from './body.js';
import type { RequestState } from './call.js';
import { answerClientError } from './client-error.js';
import { cors } from './cors.js';
import { NOTHING_HERE, dispatch } from './dispatch.js';
import { failureEnvelope } from './envelope.js';
import { settleForwarded, type Network } from './forwarded.js';
import { createGuard, type LoopbackPages } from './guard.js';
import type { Check } from './health.js';
import type { FailureBody, HttpBase } from './index.js';
import { acceptsPage, createPages } from './pages.js';
import { awaitTurn } from './turn.js';
import { limitUnreadAnswer } from './unread-answer.js';

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  /** Asked for once the server listens. */
  readonly origins: () => Origins;
  readonly allowedHosts: readonly string[];
  /** See createGuard. */
  readonly loopbackPages: LoopbackPages;
  readonly trustedProxies: readonly Network[];
  /** Bytes of bodies that are held at the same time; see BodyBudget. */
  readonly bodyBytes: number;
  readonly version: string;
  readonly log: Log;
  /** The checks of `/ready`. */
  readonly ready: () => Promise<readonly Check[]>;
  /** See HttpMount.challenge. */
  readonly challenge: HttpBase['challenge'];
}

export interface HttpServer {
  readonly mount: HttpBase;
  /** Binds; resolves with where. Throws the error of `listen`. */
  listen(): Promise<AddressInfo>;
  /** Serves the hosts of its origins, which are known once it listens; loopback names are served before. */
  open(): void;
  /** From now on requests get UNAVAILABLE, and each is the last of its connection. */
  refuse(): void;
  /**
   * Refuses, waits for requests in progress for up to `graceMs`, calls `abort` to end the rest, and ends every connection
   * once no request came for `quietMs`: a client that has just had an answer may be sending its next one. Defaults: 0.
   */
  close(abort: () => void, waits?: { readonly graceMs?: number; readonly quietMs?: number }): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 2_000; // Node's default is half a minute
const KEEP_ALIVE_MS = 65_000; // longer than the 60 s of common proxies, so that they close first
const CLOSE_GRACE_MS = 2_000;
/** When a client may expect the next process. */
const RESTART_SECONDS = 2;
const CLOSE_CHECK_MS = 20;

/** The HTTP server that every transport hangs its routes on. */
export function createHttpServer(settings: HttpSettings): HttpServer {
  const app = new Koa();
  const router = new Router();
  const guard = createGuard(settings);
  const budget = new BodyBudget(settings.bodyBytes);

  const formats: FailureBody[] = [];
  const inProgress = new Set<ServerResponse>();
  let lastRequestAt = -Infinity;
  let isRefusing = false;
  app.on('error', (err: unknown, ctx?: Context) => {
    const { requestId } = (ctx?.state ?? {}) as Partial<RequestState>;
    if (ctx && hasLeft(err, ctx)) settings.log.debug({ err, request_id: requestId }, 'a client left');
    else settings.log.error({ err, request_id: requestId }, 'a response failed');
  });
  app.proxy = true; // the headers that Koa trusts are settled below, before anything reads them
  const route = dispatch(router);
  const showPage = createPages(settings, router);
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
    let isRouted = false;
    try {
      if (isRefusing)
        throw new ServiceError('UNAVAILABLE', 'The service is stopping. Try again in a moment.', {
          details: { retry_after: RESTART_SECONDS },
        });
      guard(ctx);
      isRouted = true;
      await route(ctx);
      if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) throw NOTHING_HERE;
    } catch (thrown) {
      if (thrown === NOTHING_HERE && acceptsPage(ctx)) return await showPage(ctx);
      const error = fromKoa(thrown, requestId);
      // A call that failed has logged it.
      if (error.code === 'INTERNAL' && error !== thrown)
        settings.log.error({ err: error.cause, request_id: requestId }, 'a request failed');
      ctx.status = ERRORS[error.code].http;
      if (isChallenged(error)) ctx.set('WWW-Authenticate', settings.challenge('rest', error));
      const retryAfter = retryAfterOf(error);
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
      const [path = ''] = (req.url ?? '').toLowerCase().split(/\/?\?|\/$/, 1); // the guard refuses what Koa cannot read
      const isOwn = isRouted && error.code !== 'METHOD_NOT_ALLOWED'; // of the handler of a route
      const [body] = isOwn ? [] : formats.flatMap((bodyOf) => bodyOf(error, path) ?? []);
      ctx.body = body ?? failureEnvelope(error, { requestId, startedAt, version: settings.version });
    } finally {
      // A call whose signal somebody has ends with its response instead.
      if (state.deadline?.watched === false) state.deadline.finish();
      if (!req.complete) {
        await drainBeforeClose(ctx);
        limitUnreadBody(ctx);
      }
    }
  };
  const sharing = cors(guard, settings.origins);
  app.use(async (ctx) => {
    const { req, res, state } = ctx;
    lastRequestAt = performance.now();
    const turn = awaitTurn(ctx);
    if (turn !== true) {
      if (!(await turn)) {
        ctx.respond = false;
        return;
      }
      req.socket.setTimeout(0); // that of the answer before
    }
    limitUnreadAnswer(res);
    inProgress.add(res);
    res.once('close', () => inProgress.delete(res));
    if (isRefusing) res.setHeader('Connection', 'close');
    const { address, forwarded } = settleForwarded(req, settings.trustedProxies);
    state['peer'] = address;
    state['forwarded'] = forwarded;
    if (req.headers.origin === undefined) return await answer(ctx); // not from a page: nothing to share
    await sharing(ctx, () => answer(ctx)).finally(() => limitUnreadBody(ctx));
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
  const isAnswering = (socket: Socket) =>
    [...inProgress].some((res) => res.socket === socket && res.headersSent);
  server.on('clientError', answerClientError(settings.version, isAnswering));

  return {
    mount: {
      router,
      origins: settings.origins,
      baseUrl: () => settings.origins().base,
      peer: (ctx) => (ctx.state as RequestState).peer,
      challenge: settings.challenge,
      openTo: guard.openTo,
      openToLoopback: guard.openToLoopback,
      formatFailures: (bodyOf) => void formats.push(bodyOf),
      readJson: (ctx, limit) => readJson(ctx, limit, budget),
      readBody: (ctx, limit) => readBody(ctx, limit, budget),
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
    refuse,
    async close(abort, { graceMs = 0, quietMs = 0 } = {}) {
      refuse();
      if (!server.listening) return;
      const endsAt = performance.now() + graceMs;
      while (inProgress.size > 0 && performance.now() < endsAt) await sleep(CLOSE_CHECK_MS);
      abort();
      const loudUntil = performance.now() + CLOSE_GRACE_MS;
      while (performance.now() < Math.min(lastRequestAt + quietMs, loudUntil)) await sleep(CLOSE_CHECK_MS);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const hurry = setInterval(() => server.closeIdleConnections(), CLOSE_CHECK_MS);
      const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearInterval(hurry);
      clearTimeout(impatient);
    },
  };

  function refuse(): void {
    isRefusing = true;
    for (const res of inProgress) if (!res.headersSent) res.setHeader('Connection', 'close');
  }
}

/** Errors of a connection whose client has closed it, in the middle of a request or of an answer. */
const CLOSED_BY_CLIENT = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function hasLeft(err: unknown, { req }: Context): boolean {
  return (
    req.socket.destroyed && err instanceof Error && 'code' in err && CLOSED_BY_CLIENT.has(String(err.code))
  );
}

/** Koa's own errors (a malformed URL, say) keep their status by the nearest code; all others go through the catch-all. */
function fromKoa(thrown: unknown, requestId: string): ServiceError {
  if (
    !(thrown instanceof ServiceError) &&
    thrown instanceof Error &&
    (thrown as { status?: number }).status === 400
  ) {
    return new ServiceError('INVALID_REQUEST', 'The address of the request is malformed.', { cause: thrown });
  }
  return toServiceError(thrown, requestId);
}
