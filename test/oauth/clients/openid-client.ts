import assert from 'node:assert/strict';
import * as openid from 'openid-client';
import { allow } from '../support/browser-consent.js';
import { useTools } from '../support/mcp-exchange.js';
import { REDIRECT, type Place } from '../support/oauth-deployment.js';

/** The whole life of a connection by openid-client 6, with an ID token that it checks. */
export async function connect(place: Place): Promise<void> {
  const endpoint = new URL(`${place.at.mcp}/mcp`);
  const person = await place.person();

  const refused = await place.fetch(endpoint.href, { method: 'POST' });
  assert.equal(refused.status, 401);
  const [, address = ''] =
    /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  const metadata = (await (await place.fetch(address)).json()) as {
    resource: string;
    authorization_servers: string[];
  };
  assert.equal(metadata.resource, place.at.mcp);
  const [issuer = ''] = metadata.authorization_servers;
  assert.equal(issuer, place.at.base);

  const config = await openid.dynamicClientRegistration(
    new URL(issuer),
    { client_name: 'openid-client', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    openid.None(),
    {
      [openid.customFetch]: place.fetch as openid.CustomFetch,
      execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
    },
  );
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const { resource } = metadata;
  const authorization = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'openid mcp:read mcp:write',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    state,
    nonce,
  });
  assert.equal(authorization.origin, place.at.web);
  const back = await allow(place.browser(), authorization, person);
  const checks = { expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(
    config,
    back,
    { ...checks, pkceCodeVerifier: verifier },
    { resource },
  );
  assert.equal(tokens.claims()?.iss, place.at.base);
  assert.equal(tokens.claims()?.['email'], person.email);

  const post = (accessToken: string) => (body: string, headers: Headers) =>
    openid.fetchProtectedResource(config, accessToken, endpoint, 'POST', body, headers);
  await useTools(post(tokens.access_token), 'By openid-client');

  const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource });
  await useTools(post(renewed.access_token), 'Refreshed by openid-client');

  await openid.tokenRevocation(config, renewed.refresh_token ?? '');
  await assert.rejects(
    useTools(post(renewed.access_token), 'Too late'),
    (error: openid.WWWAuthenticateChallengeError) => {
      assert.equal(error.cause[0]?.parameters.error, 'invalid_token');
      return true;
    },
  );
  await assert.rejects(
    openid.refreshTokenGrant(config, renewed.refresh_token ?? ''),
    /invalid_grant|response/,
  );
}
