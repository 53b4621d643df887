import { ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { ServiceError } from '@service-mcp/core';
import { subscribed, type ClientSession } from './client-session.js';
import type { ServerSettings } from './server.js';
import { serve } from './serving.js';

/** What a client of the handshake may set for its session: the level of log messages, and what it wants to hear of. */
export function handleSession(
  server: Server,
  settings: ServerSettings,
  session: ClientSession | undefined,
): void {
  const kept = (): ClientSession => {
    if (session) return session;
    throw new ServiceError(
      'INVALID_REQUEST',
      'This is kept in a session: send initialize, and its Mcp-Session-Id with each request.',
    );
  };
  server.setRequestHandler('logging/setLevel', ({ params: { level } }, ctx) =>
    serve(settings, ctx, async () => {
      await kept().change(() => ({ logLevel: level }));
      return {};
    }),
  );
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, ctx) =>
    serve(
      settings,
      ctx,
      async (call) => {
        const own = kept();
        await settings.catalog.readResource(uri, call); // who may not read it hears nothing of it
        await own.change(({ subscriptions }) => ({ subscriptions: subscribed(subscriptions, uri) }));
        return {};
      },
      { code: ProtocolErrorCode.ResourceNotFound, data: { uri } },
    ),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }, ctx) =>
    serve(settings, ctx, async () => {
      await kept().change(({ subscriptions }) => ({
        subscriptions: subscriptions.filter((other) => other !== uri),
      }));
      return {};
    }),
  );
}
