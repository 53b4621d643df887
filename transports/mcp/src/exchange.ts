import type { ServerResponse } from 'node:http';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import { ERRORS, isChallenged, type CallContext, type ServiceError } from '@service-mcp/core';
import type { RpcMessage } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import type { ClientSession } from './client-session.js';
import { feed } from './event-stream.js';

/** One POST on its way through the SDK. */
export interface Exchange {
  readonly call: CallContext;
  readonly message: RpcMessage;
  /** True where the client reads an event stream, so that messages can be sent to it before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** What the client keeps with us; absent for one of the stateless revision, or without a session. */
  readonly session?: ClientSession;
  /** Whether the client has taken the request back, by `notifications/cancelled`. */
  readonly isCancelled?: () => boolean;
  /** Headers to add to the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `WWW-Authenticate` for a failure that calls for one. */
  readonly challenge: (error: ServiceError) => string;
  /** Set during the call: a failure that has an HTTP status of its own. */
  failure?: ServiceError;
}

/** The SDK carries an AuthInfo through unread; this finds the exchange it stands for. */
const exchanges = new WeakMap<AuthInfo, Exchange>();

export function exchangeOf(info: AuthInfo | undefined): Exchange {
  const exchange = info && exchanges.get(info);
  if (!exchange) throw new Error('the SDK lost the exchange of a request');
  return exchange;
}

/** The face of the stateless leg of the SDK. */
export interface FetchFace {
  fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response>;
}

export type Leg = (ctx: Context, exchange: Exchange, body: unknown, signal?: AbortSignal) => Promise<void>;

/** All that the SDK reads of a request besides its body. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/**
 * Puts the stateless leg of the SDK behind Koa: the body is already read, and headers and status of ours go on its
 * response. It does what `toNodeHandler` of the SDK does, without writing and parsing the body again.
 */
export function legOf(handler: FetchFace): Leg {
  return async (ctx, exchange, body, signal) => {
    const authInfo: AuthInfo = { token: '', clientId: exchange.call.caller.userId, scopes: [] };
    exchanges.set(authInfo, exchange);
    ctx.respond = false;
    const request = requestOf(ctx, signal);
    await write(ctx.res, exchange, await handler.fetch(request, { authInfo, parsedBody: body }));
  };
}

/** Only a stream that outlives its call needs a signal: that of the call ends the work of any other answer. */
function requestOf(ctx: Context, signal: AbortSignal | undefined): Request {
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' };
  for (const name of READ_HEADERS) {
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
      feed(res, chunk);
      if (res.destroyed) break; // leaving the loop cancels the stream
    }
    res.end();
    return;
  }
  const text = await response.text();
  finish(res, exchange, response.status, headers, text);
}

/** Writes a whole answer; a failure of the call has the last word on its status. */
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
