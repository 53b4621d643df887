import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ServiceError } from '@service-mcp/core';
import { withSubscription, type ClientSession } from './client-session.js';
import type { Register, ServerSettings } from './server-settings.js';
import { withCall } from './with-call.js';

/** Methods over the session of a handshake client: its log level and its subscriptions. */
export const SESSION_METHODS: Readonly<Record<string, Register>> = {
  'logging/setLevel': (server, settings) =>
    server.setRequestHandler('logging/setLevel', ({ params: { level } }, ctx) =>
      withCall(settings, ctx, async () => {
        await sessionOf(settings).change(() => ({ logLevel: level }));
        return {};
      }),
    ),
  'resources/subscribe': (server, settings) =>
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }, ctx) =>
      withCall(
        settings,
        ctx,
        async (call) => {
          const session = sessionOf(settings);
          await settings.catalog.readResource(uri, call); // throws for a caller who may not read it
          await session.change(({ subscriptions }) => ({
            subscriptions: withSubscription(subscriptions, uri),
          }));
          return {};
        },
        { code: ProtocolErrorCode.ResourceNotFound, data: { uri } },
      ),
    ),
  'resources/unsubscribe': (server, settings) =>
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }, ctx) =>
      withCall(settings, ctx, async () => {
        await sessionOf(settings).change(({ subscriptions }) => ({
          subscriptions: subscriptions.filter((other) => other !== uri),
        }));
        return {};
      }),
    ),
};

function sessionOf({ requester }: ServerSettings): ClientSession {
  if (requester.era === 'legacy' && requester.session) return requester.session;
  throw new ServiceError(
    'INVALID_REQUEST',
    'This needs a session: send initialize, then its Mcp-Session-Id with each request.',
  );
}
