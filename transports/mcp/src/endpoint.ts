import { PROTOCOL_VERSION_META_KEY, isInitializeRequest } from '@modelcontextprotocol/server';
import {
  amendCall,
  ERRORS,
  isChallenged,
  ServiceError,
  toServiceError,
  type CallContext,
  type Catalog,
} from '@service-mcp/core';
import type { HttpMount } from '@service-mcp/core/http';
import {
  HANDSHAKE_VERSIONS,
  idOf,
  instructionsFor,
  isRecord,
  negotiateVersion,
  readRpc,
  rpcFailure,
  type Cancellations,
  type RpcMessage,
  type Sessions,
} from '@service-mcp/core/wire';
import type { Context } from 'koa';
import type { Exchange } from './exchange.js';

type Leg = (ctx: Context, exchange: Exchange, body: unknown) => Promise<void>;

export interface Endpoint {
  readonly http: HttpMount;
  readonly catalog: Catalog;
  readonly sessions: Sessions;
  readonly cancellations: Cancellations;
  readonly modern: Leg;
  readonly legacy: Leg;
  /** In bytes. */
  readonly bodyLimit: number;
}

const SESSION_HEADER = 'mcp-session-id';

/** POST: one message in, its answer out. `ceiling`: the endpoint shows every tool under the deployment's ceiling. */
export async function post(endpoint: Endpoint, ctx: Context, ceiling: boolean): Promise<void> {
  let body: unknown;
  try {
    const call = await endpoint.http.call(ctx, 'mcp', { ceiling });
    body = await endpoint.http.readJson(ctx, endpoint.bodyLimit);
    const message = readMessage(body);
    if (isModern(message, ctx.get('mcp-protocol-version'))) {
      await endpoint.modern(ctx, await exchangeFor(endpoint, ctx, call, message), body);
    } else {
      await postLegacy(endpoint, ctx, call, message, body);
    }
  } catch (thrown) {
    fail(endpoint, ctx, thrown, idOf(body));
  }
}

/** A session, where the client names one, must be the caller's own; a client that keeps none is served too. */
async function postLegacy(
  endpoint: Endpoint,
  ctx: Context,
  call: CallContext,
  message: RpcMessage,
  body: unknown,
): Promise<void> {
  const { sessions, cancellations, legacy } = endpoint;
  const { userId } = call.caller;
  if (message.method === 'initialize') {
    const exchange = await exchangeFor(endpoint, ctx, call, message);
    if (!isInitializeRequest(body)) return legacy(ctx, exchange, body);
    const session = await sessions.open(userId, negotiateVersion(message.params['protocolVersion']));
    return legacy(ctx, { ...exchange, headers: { [SESSION_HEADER]: session.id } }, body);
  }
  assertVersion(ctx.get('mcp-protocol-version'));
  const sessionId = ctx.get(SESSION_HEADER);
  const session = sessionId === '' ? undefined : (await sessions.get(sessionId, userId)).id;
  if (message.id === undefined) {
    if (message.method === 'notifications/cancelled' && session !== undefined) {
      cancellations.cancel(session, message.params['requestId']);
    }
    return accept(ctx);
  }
  const named = session === undefined ? call : amendCall(call, { session });
  await cancellations.run(named, message.id, async (own) => {
    await legacy(ctx, await exchangeFor(endpoint, ctx, own, message), body);
  });
}

/** DELETE: the client ends its session. */
export async function remove(endpoint: Endpoint, ctx: Context): Promise<void> {
  try {
    const call = await endpoint.http.call(ctx, 'mcp');
    const id = ctx.get(SESSION_HEADER);
    if (id === '')
      throw new ServiceError('INVALID_REQUEST', 'Name the session to end in the Mcp-Session-Id header.');
    await endpoint.sessions.close(id, call.caller.userId);
    ctx.status = 204;
  } catch (thrown) {
    fail(endpoint, ctx, thrown, null);
  }
}

/** GET and the rest. There is no stream to open: changes are told on `subscriptions/listen`, answers on the POST itself. */
export async function refuse(endpoint: Endpoint, ctx: Context): Promise<void> {
  try {
    await endpoint.http.call(ctx, 'mcp');
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      `${ctx.method} is not served here: POST one JSON-RPC object.`,
    );
  } catch (thrown) {
    ctx.set('Allow', 'POST, DELETE');
    fail(endpoint, ctx, thrown, null);
  }
}

function readMessage(body: unknown): RpcMessage {
  const message = readRpc(body);
  if (message.id === null || (typeof message.id === 'number' && !Number.isInteger(message.id))) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'id must be a string or an integer; leave it out for a notification.',
    );
  }
  return message;
}

/** The first revision without `initialize`; revisions are dates, so that they compare as text. */
const FIRST_MODERN_VERSION = '2026-07-28';

/**
 * The rule of the SDK's isLegacyRequest, which would validate the whole message a second time (a tenth of a
 * small call): modern is what claims a revision in its `_meta`, or names a modern one in its header.
 */
function isModern({ params: { _meta: meta } }: RpcMessage, version: string): boolean {
  return version >= FIRST_MODERN_VERSION || (isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta);
}

/** The one method that is answered by a stream whatever the client accepts. */
const LISTEN = 'subscriptions/listen';

async function exchangeFor(
  endpoint: Endpoint,
  ctx: Context,
  call: CallContext,
  message: RpcMessage,
): Promise<Exchange> {
  const opens = message.method === 'initialize' || message.method === 'server/discover';
  const meta = message.params['_meta'];
  const wantsProgress = isRecord(meta) && 'progressToken' in meta;
  return {
    call,
    message,
    streams: message.method === LISTEN || (wantsProgress && ctx.get('accept').includes('text/event-stream')),
    headers: {},
    challenge: (error) => endpoint.http.challenge('mcp', error),
    ...(opens && { instructions: instructionsFor(await endpoint.catalog.tools(call)) }),
  };
}

function assertVersion(version: string): void {
  if (version === '' || HANDSHAKE_VERSIONS.some((known) => known === version)) return;
  throw new ServiceError(
    'INVALID_REQUEST',
    `MCP-Protocol-Version ${version} is not served; use one of ${HANDSHAKE_VERSIONS.join(', ')}, the one that initialize answered.`,
  );
}

function accept(ctx: Context): void {
  ctx.status = 202;
  ctx.body = '';
  ctx.remove('Content-Type');
}

function fail({ http }: Endpoint, ctx: Context, thrown: unknown, id: ReturnType<typeof idOf>): void {
  const error = toServiceError(thrown, ctx.state['requestId'] as string | undefined);
  if (error !== thrown) ctx.app.emit('error', thrown, ctx);
  if (ctx.res.headersSent) {
    ctx.res.destroy(); // half an answer is no answer
    return;
  }
  ctx.respond = true;
  ctx.status = ERRORS[error.code].http;
  if (isChallenged(error)) ctx.set('WWW-Authenticate', http.challenge('mcp', error));
  ctx.body = rpcFailure(error, id);
}
