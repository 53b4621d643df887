import assert from 'node:assert/strict';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { eachDatabase } from '@service-mcp/core/testing';
import { connect as sdk1 } from './clients/sdk-1.js';
import { allow } from './support/browser-consent.js';
import { Remembering } from './support/oauth-client-state.js';
import { startPlace, type Place } from './support/oauth-deployment.js';

eachDatabase((fresh) => {
  describe('connecting to a service without outgoing access', () => {
    let place: Place;
    before(async () => {
      place = await startPlace(await fresh(), 'one origin', { outgoing: false });
    });
    after(() => place.stop());

    it('by the SDK 1.x, which registers', () => sdk1(place));

    it('by the client 2.x, which has a client-id document and registers all the same', async () => {
      const application = Object.assign(
        new Remembering<StoredOAuthClientInformation, StoredOAuthTokens, OAuthDiscoveryState>('SDK 2'),
        { clientMetadataUrl: place.clientDocument },
      );
      const open = () =>
        new StreamableHTTPClientTransport(new URL(`${place.at.mcp}/mcp`), {
          authProvider: application,
          fetch: place.fetch,
        });
      const first = open();
      await assert.rejects(new Client({ name: 'sdk-2', version: '1' }).connect(first), UnauthorizedError);
      assert.notEqual(application.information?.client_id, place.clientDocument);
      const back = await allow(place.browser(), application.authorizationUrl(), await place.person());
      await first.finishAuth(back.searchParams);
      const client = new Client({ name: 'sdk-2', version: '1' });
      await client.connect(open());
      assert.ok((await client.listTools()).tools.length > 0);
      await client.close();
    });
  });
});
