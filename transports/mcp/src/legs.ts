import { createMcpHandler, isJSONRPCRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { ServiceError, type Catalog, type Log } from '@service-mcp/core';
import { MOST_STREAMS, principalOf, type Seal } from '@service-mcp/core/wire';
import { exchangeOf, type Exchange, type Leg } from './exchange.js';
import { PostTransport } from './post-transport.js';
import { askedOf, type Questions } from './questions.js';
import type { Asker } from './rounds.js';
import { buildServer } from './server.js';

/** What both legs need. */
export interface LegSettings {
  readonly catalog: Catalog;
  readonly version: string;
  readonly log: Log;
  readonly seal: Seal;
  readonly questions: Questions;
  readonly heartbeatMs: number;
}

/** Revision 2026-07-28: no session; the SDK makes and drops a server per request and keeps the change streams. */
export function modernHandler(settings: LegSettings): McpHttpHandler {
  const asker: Asker = { era: 'modern', seal: settings.seal };
  return createMcpHandler(({ authInfo }) => serverFor(settings, exchangeOf(authInfo), asker), {
    legacy: 'reject',
    keepAliveMs: settings.heartbeatMs,
    maxSubscriptions: MOST_STREAMS,
    onerror: reporter(settings.log),
  });
}

/**
 * Revisions that open with `initialize`. Each POST has a transport and a server of its own, so a session is
 * a row and nothing more.
 */
export function legacyLeg(settings: LegSettings): Leg {
  const onerror = reporter(settings.log);
  return async (ctx, exchange, body) => {
    if (!isJSONRPCRequest(body)) {
      throw new ServiceError('INVALID_REQUEST', 'params._meta of the request is not what MCP says of it.');
    }
    const { session = '', caller } = exchange.call;
    const transport = new PostTransport(ctx.res, exchange, {
      questions: settings.questions,
      asked: askedOf(session, principalOf(caller)),
      heartbeatMs: settings.heartbeatMs,
    });
    const asker: Asker = { era: 'legacy', session: exchange.session, asks: exchange.streams };
    const server = Object.assign(serverFor(settings, exchange, asker), { onerror });
    await server.connect(transport);
    ctx.respond = false;
    transport.onmessage?.(body);
    await transport.answered;
    await server.close();
  };
}

function serverFor({ catalog, version }: LegSettings, exchange: Exchange, asker: Asker) {
  return buildServer({
    catalog,
    version,
    asker,
    call: () => exchange.call,
    streams: exchange.streams,
    only: exchange.message.method,
    onHttpFailure: (error) => {
      exchange.failure = error;
    },
    ...(exchange.instructions !== undefined && { instructions: exchange.instructions }),
  });
}

/** What the SDK reports is the client's doing (a broken message, a closed connection): worth a debug line. */
function reporter(log: Log): (error: Error) => void {
  return (err) => log.debug({ err }, 'mcp');
}
