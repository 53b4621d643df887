import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import { allow } from '../support/browser-consent.js';
import { useTools } from '../support/mcp-exchange.js';
import { REDIRECT, type Place } from '../support/oauth-deployment.js';

/**
 * The whole life of a connection by oauth4webapi 3, which checks every letter of the documents: it asks for the
 * metadata of the endpoint itself and wants to find the endpoint in it.
 */
export async function connect(place: Place): Promise<void> {
  const endpoint = new URL(`${place.at.mcp}/mcp`);
  const person = await place.person();
  const options = {
    [oauth.customFetch]: place.fetch as never, // its own narrower type of the same function
    [oauth.allowInsecureRequests]: endpoint.protocol === 'http:',
  };

  const { authorization_servers } = await oauth.processResourceDiscoveryResponse(
    endpoint,
    await oauth.resourceDiscoveryRequest(endpoint, options),
  );
  const issuer = new URL(authorization_servers?.[0] ?? '');
  assert.equal(issuer.origin, place.at.base);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'oauth4webapi',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'client_secret_basic',
      },
      options,
    ),
  );
  assert.equal(typeof client.client_secret, 'string');
  const proof = oauth.ClientSecretBasic(client.client_secret as string);

  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const authorization = new URL(server.authorization_endpoint ?? '');
  assert.equal(authorization.origin, place.at.web);
  authorization.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: 'mcp:read mcp:write',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: endpoint.href,
    state,
  }).toString();
  const back = await allow(place.browser(), authorization, person);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const withResource = { ...options, additionalParameters: { resource: endpoint.href } };
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      parameters,
      REDIRECT,
      verifier,
      withResource,
    ),
  );

  const post = (accessToken: string) => (body: string, headers: Headers) =>
    oauth.protectedResourceRequest(accessToken, 'POST', endpoint, headers, body, options);
  await useTools(post(tokens.access_token), 'By oauth4webapi');

  const refresh = async (token: string) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, token, withResource),
    );
  const renewed = await refresh(tokens.refresh_token ?? '');
  await useTools(post(renewed.access_token), 'Refreshed by oauth4webapi');

  const revocation = await oauth.revocationRequest(
    server,
    client,
    proof,
    renewed.refresh_token ?? '',
    options,
  );
  assert.equal(await oauth.processRevocationResponse(revocation), undefined);
  await assert.rejects(
    useTools(post(renewed.access_token), 'Too late'),
    (error: oauth.WWWAuthenticateChallengeError) => {
      assert.equal(error.cause[0]?.parameters.error, 'invalid_token');
      return true;
    },
  );
  await assert.rejects(refresh(renewed.refresh_token ?? ''), (error: oauth.ResponseBodyError) => {
    assert.equal(error.error, 'invalid_grant');
    return true;
  });
}
