import { createMcpHandler, isJSONRPCRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceError, type Catalog, type Log } from '@service-mcp/core';
import { MAX_STREAMS, principalOf, type Seal } from '@service-mcp/core/wire';
import { exchangeOf, type Exchange, type PostHandler } from './sdk-bridge.js';
import { PostTransport } from './post-transport.js';
import { recipientOf, type PendingRequests } from './pending-requests.js';
import type { ClientRequester } from './elicitation.js';
import { buildServer } from './server.js';

/** What the handlers of both eras need. */
export interface HandlerSettings {
  readonly catalog: Catalog;
  readonly version: string;
  readonly log: Log;
  readonly seal: Seal;
  readonly pending: PendingRequests;
  readonly heartbeatMs: number;
}

/** Revision 2026-07-28: no session; the SDK makes and drops a server per request and keeps the change streams. */
export function modernHandler(settings: HandlerSettings): McpHttpHandler {
  const requester: ClientRequester = { era: 'modern', seal: settings.seal };
  return createMcpHandler(({ authInfo }) => serverFor(settings, exchangeOf(authInfo), requester), {
    legacy: 'reject',
    keepAliveMs: settings.heartbeatMs,
    maxSubscriptions: MAX_STREAMS,
    onerror: reporter(settings.log),
  });
}

/**
 * Revisions that open with `initialize`. Each POST has a transport and a server of its own, so that a session is only
 * a row.
 */
export function legacyHandler(settings: HandlerSettings): PostHandler {
  const onerror = reporter(settings.log);
  return async (ctx, exchange, body) => {
    if (!isJSONRPCRequest(body)) {
      throw new ServiceError(
        'INVALID_REQUEST',
        'params._meta of the request does not conform to MCP. See its specification.',
      );
    }
    const { session = '', caller } = exchange.call;
    const transport = new PostTransport(ctx.res, exchange, {
      pending: settings.pending,
      recipient: recipientOf(session, principalOf(caller)),
      heartbeatMs: settings.heartbeatMs,
    });
    const requester: ClientRequester = {
      era: 'legacy',
      session: exchange.session,
      canSend: exchange.streams,
    };
    const server = Object.assign(serverFor(settings, exchange, requester), { onerror });
    await server.connect(transport);
    ctx.respond = false;
    transport.onmessage?.(body);
    await transport.answered;
    await server.close();
  };
}

function serverFor({ catalog, version }: HandlerSettings, exchange: Exchange, requester: ClientRequester) {
  return buildServer({
    catalog,
    version,
    requester,
    call: () => exchange.call,
    streams: exchange.streams,
    only: exchange.message.method,
    onHttpFailure: (error) => {
      exchange.failure = error;
    },
    ...(exchange.instructions !== undefined && { instructions: exchange.instructions }),
  });
}

/** The SDK reports errors of clients (a malformed message, a closed connection): a debug line is enough. */
function reporter(log: Log): (error: Error) => void {
  return (err) => log.debug({ err }, 'mcp');
}
