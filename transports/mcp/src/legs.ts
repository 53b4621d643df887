import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Catalog, Log } from '@service-mcp/core';
import { HANDSHAKE_VERSIONS } from '@service-mcp/core/wire';
import { exchangeOf, type Exchange, type FetchFace } from './exchange.js';
import { buildServer } from './server.js';

/** What both legs need. */
export interface LegSettings {
  readonly catalog: Catalog;
  readonly version: string;
  readonly log: Log;
}

/** Revision 2026-07-28: no session; the SDK makes and drops a server per request and keeps the change streams. */
export function modernHandler(settings: LegSettings): McpHttpHandler {
  return createMcpHandler(({ authInfo }) => serverFor(settings, exchangeOf(authInfo), true), {
    legacy: 'reject',
    onerror: reporter(settings.log),
  });
}

/**
 * Revisions that open with `initialize`. Each POST has a transport and a server of its own, so a session is
 * a row and nothing more. A plain JSON answer, or an event stream for a client that asked for progress.
 */
export function legacyHandler(settings: LegSettings): FetchFace {
  const onerror = reporter(settings.log);
  return {
    async fetch(request, options) {
      const exchange = exchangeOf(options.authInfo);
      const transport = new WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: !exchange.streams,
        supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
      });
      const server = Object.assign(serverFor(settings, exchange, false), { onerror });
      exchange.release = () => server.close();
      await server.connect(transport);
      return transport.handleRequest(request, options);
    },
  };
}

function serverFor({ catalog, version }: LegSettings, exchange: Exchange, listChanged: boolean) {
  return buildServer({
    catalog,
    version,
    listChanged,
    call: () => exchange.call,
    progress: exchange.streams,
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
