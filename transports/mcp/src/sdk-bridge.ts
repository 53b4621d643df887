import type { ServerResponse } from 'node:http';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import { ERRORS, isChallenged, type CallContext, type ServiceError } from '@service-mcp/core';
import type { RpcMessage } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import type { ClientSession } from './client-session.js';
import { writeChunk } from './event-stream.js';

/** One POST, with everything that its path through the SDK needs. */
export interface Exchange {
  readonly call: CallContext;
  readonly message: RpcMessage;
  /** True when the client accepts an event stream, so that messages can be sent before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** Absent in the stateless revision, and for a client that names no session. */
  readonly session?: ClientSession;
  /** True once the client has cancelled the request by `notifications/cancelled`. */
  readonly isCancelled?: () => boolean;
  /** Headers to add to the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `WWW-Authenticate` for a failure that calls for one. */
  readonly challenge: (error: ServiceError) => string;
  /** Called once the answer has begun as a stream, by its first message. */
  readonly begun?: () => void;
  /** Set during the call: a failure that has an HTTP status of its own. */
  failure?: ServiceError;
}

/** The SDK passes an AuthInfo through unread; it is the key to its exchange. */
const exchanges = new WeakMap<AuthInfo, Exchange>();

export function exchangeOf(info: AuthInfo | undefined): Exchange {
  const exchange = info && exchanges.get(info);
  if (!exchange) throw new Error('the SDK lost the exchange of a request');
  return exchange;
}

/** The SDK's handler of the stateless revision. */
export interface FetchHandler {
  fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response>;
}

export type PostHandler = (
  ctx: Context,
  exchange: Exchange,
  body: unknown,
  signal?: AbortSignal,
) => Promise<void>;

/** The headers that the SDK reads. */
const SDK_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/**
 * Serves the SDK's handler of the stateless revision behind Koa, with the parsed body and our headers and status. It
 * replaces `toNodeHandler` of the SDK, which serializes and parses the body again.
 */
export function koaHandler(handler: FetchHandler): PostHandler {
  return async (ctx, exchange, body, signal) => {
    const authInfo: AuthInfo = { token: '', clientId: exchange.call.caller.userId, scopes: [] };
    exchanges.set(authInfo, exchange);
    ctx.respond = false;
    const request = requestOf(ctx, signal);
    await write(ctx.res, exchange, await handler.fetch(request, { authInfo, parsedBody: body }));
  };
}

/** Only a stream that outlives its call needs a signal: for other answers that of the call is enough. */
function requestOf(ctx: Context, signal: AbortSignal | undefined): Request {
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' };
  for (const name of SDK_HEADERS) {
    const value = ctx.req.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: signal ?? null });
}

async function write(res: ServerResponse, exchange: Exchange, response: Response): Promise<void> {
  const headers: Record<string, string> = { ...Object.fromEntries(response.headers), ...exchange.headers };
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
    res.writeHead(response.status, headers);
    res.flushHeaders();
    for await (const chunk of response.body) {
      writeChunk(res, chunk);
      exchange.begun?.();
      if (res.destroyed) break; // leaving the loop cancels the stream
    }
    res.end();
    return;
  }
  const text = await response.text();
  finish(res, exchange, response.status, headers, text);
}

/** Writes a whole answer; a failure of the call decides its status. */
export function finish(
  res: ServerResponse,
  { failure, challenge }: Exchange,
  status: number,
  headers: Record<string, string>,
  text: string,
): void {
  if (failure && isChallenged(failure)) headers['www-authenticate'] = challenge(failure);
  res.writeHead(failure ? ERRORS[failure.code].http : status, {
    ...headers,
    'content-length': Buffer.byteLength(text),
  });
  res.end(text);
}
