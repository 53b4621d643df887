import assert from 'node:assert/strict';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  auth,
  discoverOAuthServerInfo,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { allow } from '../support/browser-consent.js';
import { Remembering } from '../support/oauth-client-state.js';
import { revoke } from '../support/revoke.js';
import type { Place } from '../support/oauth-deployment.js';

/** The whole life of a connection by the client 2.x, which is known by its client-id document and registers nowhere. */
export async function connect(place: Place): Promise<void> {
  const serverUrl = `${place.at.mcp}/mcp`;
  const person = await place.person();
  const application = Object.assign(
    new Remembering<StoredOAuthClientInformation, StoredOAuthTokens, OAuthDiscoveryState>('not asked for'),
    { clientMetadataUrl: place.clientDocument },
  );
  const open = () =>
    new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: application, fetch: place.fetch });

  const first = open();
  await assert.rejects(new Client({ name: 'sdk-2', version: '1' }).connect(first), UnauthorizedError);
  assert.equal(application.information?.client_id, place.clientDocument);
  assert.equal(application.authorizationUrl().origin, place.at.web);
  const back = await allow(place.browser(), application.authorizationUrl(), person);
  await first.finishAuth(back.searchParams);

  const client = new Client({ name: 'sdk-2', version: '1' });
  await client.connect(open());
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'workspaces_create'));
  const made = await client.callTool({ name: 'workspaces_create', arguments: { name: 'By SDK 2' } });
  assert.ok(!made.isError, JSON.stringify(made));

  const before = application.kept;
  assert.equal(await auth(application, { serverUrl, fetchFn: place.fetch }), 'AUTHORIZED');
  assert.notEqual(application.kept?.access_token, before?.access_token);
  assert.notEqual(application.kept?.refresh_token, before?.refresh_token);
  const listed = await client.callTool({ name: 'workspaces_list', arguments: {} });
  assert.match(JSON.stringify(listed), /By SDK 2/);

  const { authorizationServerMetadata } = await discoverOAuthServerInfo(serverUrl, { fetchFn: place.fetch });
  await revoke(place, authorizationServerMetadata, {
    token: application.kept?.refresh_token,
    client_id: place.clientDocument,
  });
  application.sentTo = undefined;
  await assert.rejects(client.callTool({ name: 'workspaces_list', arguments: {} }), UnauthorizedError);
  assert.ok(application.authorizationUrl(), 'it begins again');
  await client.close();
}
