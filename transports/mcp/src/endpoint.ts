import { ERRORS, ServiceError, type CallContext, type Catalog, type Log } from '@service-mcp/core';
import { challengeFor, failureOf, type HttpMount } from '@service-mcp/core/http';
import {
  rpcFailure,
  type Cancellations,
  type RpcId,
  type RpcMessage,
  type Seal,
  type Sessions,
} from '@service-mcp/core/wire';
import type { Context } from 'koa';
import type { ChangeStreams } from './change-streams.js';
import type { OpenStreams } from './event-stream.js';
import type { Exchange, PostHandler } from './sdk-bridge.js';
import type { PendingRequests } from './pending-requests.js';

export interface Endpoint {
  readonly http: HttpMount;
  readonly catalog: Catalog;
  readonly sessions: Sessions;
  readonly seal: Seal;
  readonly log: Log;
  readonly version: string;
  readonly cancellations: Cancellations;
  readonly pending: PendingRequests;
  readonly changes: ChangeStreams;
  readonly open: OpenStreams;
  /** In bytes. */
  readonly bodyLimit: number;
  readonly heartbeatMs: number;
  /** Answers a message of the stateless revision. */
  readonly modern: PostHandler;
}

/** A GET that opens no stream, and HEAD. */
export async function refuse({ http }: Endpoint, ctx: Context): Promise<never> {
  ctx.set('Allow', 'GET, POST, DELETE');
  await http.call(ctx, 'mcp');
  const instead =
    ctx.method === 'GET'
      ? 'GET opens the stream of a session: send its Mcp-Session-Id and Accept: text/event-stream. For anything else POST one JSON-RPC object.'
      : `${ctx.method} is not served here: POST one JSON-RPC object.`;
  throw new ServiceError('METHOD_NOT_ALLOWED', instead);
}

/** Everything that answering one message needs. */
export async function exchangeFor(
  endpoint: Endpoint,
  ctx: Context,
  call: CallContext,
  message: RpcMessage,
): Promise<Exchange> {
  const opens = message.method === 'initialize' || message.method === 'server/discover';
  return {
    call,
    message,
    streams: ctx.get('accept').includes('text/event-stream'),
    headers: {},
    challenge: (error) => challengeFor(ctx, endpoint.http.challenge('mcp', error, call.caller)),
    ...(opens && { instructions: await endpoint.catalog.instructions(call) }),
  };
}

/** Answers with a failure, or cuts off an answer that has begun. */
export function fail({ http }: Endpoint, ctx: Context, thrown: unknown, id: RpcId): void {
  const error = failureOf(http, ctx, 'mcp', thrown);
  if (ctx.res.headersSent) {
    ctx.res.destroy(); // a truncated answer must not look complete
    return;
  }
  ctx.respond = true;
  ctx.status = ERRORS[error.code].http;
  ctx.body = rpcFailure(error, id);
}
