import type { IncomingHttpHeaders } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import {
  toNodeHandler,
  type FetchLikeMcpHandler,
  type NodeIncomingMessageLike,
  type NodeServerResponseLike,
} from '@modelcontextprotocol/node';
import { ERRORS, ServiceError, type CallContext } from '@service-mcp/core';
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

/** Puts one leg of the SDK behind Koa: body already read, headers and status of ours on its response. */
export function legOf(
  handler: FetchLikeMcpHandler,
): (ctx: Context, exchange: Exchange, body: unknown) => Promise<void> {
  const serve = toNodeHandler(handler);
  return async (ctx, exchange, body) => {
    const auth: AuthInfo = { token: '', clientId: exchange.call.caller.userId, scopes: [] };
    exchanges.set(auth, exchange);
    ctx.respond = false;
    try {
      await serve(requestOf(ctx, auth), responseOf(ctx, exchange), body);
    } finally {
      await exchange.release?.();
    }
  };
}

function requestOf(ctx: Context, auth: AuthInfo): NodeIncomingMessageLike {
  // The legacy transport insists on both types, though it can answer a client that names one.
  const headers: IncomingHttpHeaders = { ...ctx.req.headers, accept: 'application/json, text/event-stream' };
  return { method: 'POST', url: '/mcp', headers, auth, [Symbol.asyncIterator]: noBody };
}

async function* noBody(): AsyncGenerator<never> {}

function responseOf({ res }: Context, exchange: Exchange): NodeServerResponseLike {
  return {
    writeHead: (status, headers) => {
      const http = exchange.failure && !headers?.['content-type']?.startsWith('text/event-stream');
      const code = http && exchange.failure ? ERRORS[exchange.failure.code].http : status;
      return res.writeHead(code, { ...headers, ...exchange.headers });
    },
    write: (chunk) => res.write(chunk),
    end: (chunk) => res.end(chunk),
    on: (event, listener) => res.on(event, listener),
    get destroyed() {
      return res.destroyed;
    },
  };
}
