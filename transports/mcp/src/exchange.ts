import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AuthInfo, McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import { ERRORS, isChallenged, type CallContext, type ServiceError } from '@service-mcp/core';
import type { RpcMessage } from '@service-mcp/core/wire';
import type { Context } from 'koa';

/** One POST on its way through the SDK. */
export interface Exchange {
  readonly call: CallContext;
  readonly message: RpcMessage;
  /** True where the client reads an event stream, so that progress can be sent before the result. */
  readonly streams: boolean;
  readonly instructions?: string;
  /** Headers to add to the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `WWW-Authenticate` for a failure that calls for one. */
  readonly challenge: (error: ServiceError) => string;
  /** Set during the call: a failure that has an HTTP status of its own. */
  failure?: ServiceError;
  /** Runs when the response has been written. */
  release?: () => Promise<void>;
}

/** The SDK carries an AuthInfo through unread; this finds the exchange it stands for. */
const exchanges = new WeakMap<AuthInfo, Exchange>();

export function exchangeOf(info: AuthInfo | undefined): Exchange {
  const exchange = info && exchanges.get(info);
  if (!exchange) throw new Error('the SDK lost the exchange of a request');
  return exchange;
}

/** The face of one leg of the SDK. */
export interface FetchFace {
  fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response>;
}

/** All that the SDK reads of a request besides its body. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/**
 * Puts one leg of the SDK behind Koa: the body is already read, and headers and status of ours go on its
 * response. It does what `toNodeHandler` of the SDK does, without writing and parsing the body again.
 */
export function legOf(
  handler: FetchFace,
): (ctx: Context, exchange: Exchange, body: unknown) => Promise<void> {
  return async (ctx, exchange, body) => {
    const authInfo: AuthInfo = { token: '', clientId: exchange.call.caller.userId, scopes: [] };
    exchanges.set(authInfo, exchange);
    ctx.respond = false;
    try {
      const response = await handler.fetch(requestOf(ctx, exchange), { authInfo, parsedBody: body });
      await write(ctx.res, exchange, response);
    } finally {
      await exchange.release?.();
    }
  };
}

function requestOf(ctx: Context, exchange: Exchange): Request {
  // The legacy transport insists on both types, though it can answer a client that names one.
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' };
  for (const name of READ_HEADERS) {
    const value = ctx.req.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  // Only a stream outlives its call, whose own signal ends the work of a plain answer.
  const signal = exchange.streams ? closing(ctx.res) : null;
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal });
}

function closing(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}

async function write(res: ServerResponse, exchange: Exchange, response: Response): Promise<void> {
  const headers: Record<string, string> = { ...Object.fromEntries(response.headers), ...exchange.headers };
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
    res.writeHead(response.status, headers);
    res.flushHeaders();
    for await (const chunk of response.body) {
      if (res.destroyed) break; // leaving the loop cancels the stream
      if (!res.write(chunk)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    }
    res.end();
    return;
  }
  const text = await response.text();
  const { failure } = exchange;
  const status = failure ? ERRORS[failure.code].http : response.status;
  if (failure && isChallenged(failure)) headers['www-authenticate'] = exchange.challenge(failure);
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  res.end(text);
}
