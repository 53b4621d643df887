import assert from 'node:assert/strict';
import { auth, type OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { connect as oauth4webapi } from '../oauth/clients/oauth4webapi.js';
import { connect as openidClient } from '../oauth/clients/openid-client.js';
import { connect as sdk1 } from '../oauth/clients/sdk-1.js';
import { connect as sdk2 } from '../oauth/clients/sdk-2.js';
import { allow } from '../oauth/support/browser-consent.js';
import { Remembering } from '../oauth/support/oauth-client-state.js';
import { calledLocalhost, startPlace, type Place } from '../oauth/support/oauth-deployment.js';
import { serveGateway, type Served } from './support/serve-gateway.js';

const CLIENTS = {
  'the SDK 1.x with auth()': sdk1,
  'the client 2.x with a client-id document': sdk2,
  'openid-client 6': openidClient,
  'oauth4webapi 3': oauth4webapi,
};

/** The service as it is seen through a gateway: its MCP endpoints there, all else at the service. */
function throughGateway(place: Place, { url }: Served): Place {
  return { ...place, at: { ...place.at, mcp: url } };
}

describe('gateway: connecting through it, from a 401 to revocation', () => {
  let database: TestDatabase;
  let place: Place;
  before(async () => {
    database = await freshDatabase('sqlite');
    place = await startPlace(database, 'one origin');
  });
  after(async () => {
    await place.stop();
    await database.drop();
  });

  for (const required of ['true', 'false']) {
    describe(`MCP_HTTP_REQUIRE_AUTH=${required}`, () => {
      let gateway: Served;
      before(async () => {
        gateway = await serveGateway({ SERVICE_API_URL: place.at.base, MCP_HTTP_REQUIRE_AUTH: required });
      });
      after(() => gateway.stop());

      for (const [name, connect] of Object.entries(CLIENTS)) {
        it(`by ${name}`, () => connect(throughGateway(place, gateway)));
        it(`by ${name}, which calls 127.0.0.1 localhost`, () =>
          connect(calledLocalhost(throughGateway(place, gateway))));
      }

      it('a read-only token gets the scope that a change needs, and where to get it', async () => {
        const provider = new Remembering<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryState>(
          'Reads',
        );
        const options = { serverUrl: `${gateway.url}/mcp` };
        assert.equal(await auth(provider, { ...options, scope: 'mcp:read' }), 'REDIRECT');
        const back = await allow(place.browser(), provider.authorizationUrl(), await place.person());
        const authorizationCode = back.searchParams.get('code') ?? '';
        assert.equal(await auth(provider, { ...options, authorizationCode }), 'AUTHORIZED');
        const credential = { authorization: `Bearer ${provider.kept?.access_token}` };
        const call = (name: string, args: object) =>
          gateway.ask('tools/call', { name, arguments: args }, credential, '/client');
        assert.equal((await call('workspaces_list', {})).status, 200);
        const refused = await call('workspaces_create', { name: 'Refused' });
        assert.equal(refused.status, 403);
        const challenge = refused.headers.get('www-authenticate') ?? '';
        assert.match(
          challenge,
          /^Bearer error="insufficient_scope", scope="mcp:read mcp:write workspaces:write"/,
        );
        assert.ok(
          challenge.includes(`resource_metadata="${gateway.url}/.well-known/oauth-protected-resource"`),
        );
        assert.equal(refused.body.error.data.code, 'PERMISSION_DENIED');
      });
    });
  }
});
