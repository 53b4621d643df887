import assert from 'node:assert/strict';
import {
  UnauthorizedError,
  auth,
  discoverOAuthServerInfo,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { allow } from '../support/browser-consent.js';
import { Remembering } from '../support/oauth-client-state.js';
import { revoke } from '../support/revoke.js';
import type { Place } from '../support/oauth-deployment.js';

/** The whole life of a connection by the SDK 1.x: `auth()` and its Streamable HTTP transport. */
export async function connect(place: Place): Promise<void> {
  const serverUrl = `${place.at.mcp}/mcp`;
  const person = await place.person();
  const application = new Remembering<OAuthClientInformationMixed, OAuthTokens, OAuthDiscoveryState>('SDK 1');
  const open = () =>
    new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: application, fetch: place.fetch });

  const first = open();
  await assert.rejects(new Client({ name: 'sdk-1', version: '1' }).connect(first), UnauthorizedError);
  assert.equal(application.authorizationUrl().origin, place.at.web);
  const back = await allow(place.browser(), application.authorizationUrl(), person);
  assert.equal(back.searchParams.get('iss'), place.at.base);
  await first.finishAuth(back.searchParams.get('code') ?? '');

  const client = new Client({ name: 'sdk-1', version: '1' });
  await client.connect(open());
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'workspaces_create'));
  const made = await client.callTool({ name: 'workspaces_create', arguments: { name: 'By SDK 1' } });
  assert.ok(!made.isError, JSON.stringify(made));

  const before = application.kept;
  assert.equal(await auth(application, { serverUrl, fetchFn: place.fetch }), 'AUTHORIZED');
  assert.notEqual(application.kept?.access_token, before?.access_token);
  assert.notEqual(application.kept?.refresh_token, before?.refresh_token);
  const listed = await client.callTool({ name: 'workspaces_list', arguments: {} });
  assert.match(JSON.stringify(listed), /By SDK 1/);

  const { authorizationServerMetadata } = await discoverOAuthServerInfo(serverUrl, { fetchFn: place.fetch });
  await revoke(place, authorizationServerMetadata, {
    token: application.kept?.refresh_token,
    client_id: application.information?.client_id,
  });
  application.sentTo = undefined;
  await assert.rejects(client.callTool({ name: 'workspaces_list', arguments: {} }), UnauthorizedError);
  assert.ok(application.authorizationUrl(), 'it begins again');
  await client.close();
}
