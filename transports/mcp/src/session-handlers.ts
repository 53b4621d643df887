import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ServiceError } from '@service-mcp/core';
import { subscribed, type ClientSession } from './client-session.js';
import type { Register } from './handlers.js';
import type { ServerSettings } from './server.js';
import { serve } from './serving.js';

/** What a client of the handshake may set for its session: the level of log messages, and what it wants to hear of. */
export const SESSION_METHODS: Readonly<Record<string, Register>> = {
  'logging/setLevel': (server, settings) =>
    server.setRequestHandler('logging/setLevel', ({ params: { level } }, ctx) =>
      serve(settings, ctx, async () => {
        await kept(settings).change(() => ({ logLevel: level }));
        return {};
      }),
    ),
  'resources/subscribe': (server, settings) =>
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }, ctx) =>
      serve(
        settings,
        ctx,
        async (call) => {
          const own = kept(settings);
          await settings.catalog.readResource(uri, call); // who may not read it hears nothing of it
          await own.change(({ subscriptions }) => ({ subscriptions: subscribed(subscriptions, uri) }));
          return {};
        },
        { code: ProtocolErrorCode.ResourceNotFound, data: { uri } },
      ),
    ),
  'resources/unsubscribe': (server, settings) =>
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }, ctx) =>
      serve(settings, ctx, async () => {
        await kept(settings).change(({ subscriptions }) => ({
          subscriptions: subscriptions.filter((other) => other !== uri),
        }));
        return {};
      }),
    ),
};

function kept({ asker }: ServerSettings): ClientSession {
  if (asker.era === 'legacy' && asker.session) return asker.session;
  throw new ServiceError(
    'INVALID_REQUEST',
    'This is kept in a session: send initialize, and its Mcp-Session-Id with each request.',
  );
}
