import { createMcpHandler, isJSONRPCRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceError, type Log } from '@service-mcp/core';
import { MAX_STREAMS, principalOf } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import type { ClientRequester } from './elicitation.js';
import type { Endpoint } from './endpoint.js';
import { recipientOf } from './pending-requests.js';
import { PostTransport } from './post-transport.js';
import { exchangeOf, type Exchange } from './sdk-bridge.js';
import { buildServer } from './server.js';

type ServerParts = Pick<Endpoint, 'catalog' | 'version'>;

/** Revision 2026-07-28: no session; the SDK makes and drops a server per request and keeps the change streams. */
export function modernHandler(
  parts: ServerParts & Pick<Endpoint, 'seal' | 'log' | 'heartbeatMs'>,
): McpHttpHandler {
  const requester: ClientRequester = { era: 'modern', seal: parts.seal };
  return createMcpHandler(({ authInfo }) => serverFor(parts, exchangeOf(authInfo), requester), {
    legacy: 'reject',
    keepAliveMs: parts.heartbeatMs,
    maxSubscriptions: MAX_STREAMS,
    onerror: reporter(parts.log),
  });
}

/**
 * Revisions that open with `initialize`. Each POST has a transport and a server of its own, so that a session is only
 * a row.
 */
export async function answerHandshake(
  endpoint: Endpoint,
  ctx: Context,
  exchange: Exchange,
  body: unknown,
): Promise<void> {
  if (!isJSONRPCRequest(body)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'params._meta of the request does not conform to MCP. See its specification.',
    );
  }
  const { session = '', caller } = exchange.call;
  const recipient = recipientOf(session, principalOf(caller));
  const transport = new PostTransport(ctx.res, exchange, { ...endpoint, recipient });
  const requester: ClientRequester = {
    era: 'legacy',
    session: exchange.session,
    canSend: exchange.streams,
  };
  const server = serverFor(endpoint, exchange, requester);
  Object.assign(server, { onerror: reporter(endpoint.log) });
  await server.connect(transport);
  ctx.respond = false;
  transport.onmessage?.(body);
  await transport.answered;
  await server.close();
}

function serverFor({ catalog, version }: ServerParts, exchange: Exchange, requester: ClientRequester) {
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
