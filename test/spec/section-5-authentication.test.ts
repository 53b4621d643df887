import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { FORM_BODY, ask, post } from '../security/raw-http.js';
import { Application, Browser, REDIRECT, type Granted } from '../security/oauth-browser.js';
import { send, type RpcReply } from './http.js';

const JWT_SECRET = 'rT5u-9wQz_Lk2mXv7Bn4cY8pHs3dGf6aJe1iOoWx0UqE';
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const accept = { accept: 'application/json, text/event-stream' };

/** A document of discovery, as far as a client reads it. */
interface Discovery {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
  readonly revocation_endpoint: string;
}

describe('interface.md 5: authentication', () => {
  let service: Hosted;
  let ann: Account;
  before(async () => {
    service = await startHosted({ auth: { jwt_secret: JWT_SECRET } });
    ann = await service.account('ann');
  });
  after(() => service.stop());

  it('5.1 an API key comes from POST /v1/auth/api-keys, made with the tokens of a login', async () => {
    const made = await send(service.url, 'POST', '/v1/auth/api-keys', {
      body: { name: 'from a login' },
      headers: bearer(ann.access_token),
    });
    const key = String(made.body.data?.['secret_key']);
    const me = await send(service.url, 'GET', '/v1/auth/me', { headers: bearer(key) });
    assert.deepEqual([me.status, me.body.data?.['id']], [200, ann.id]);
  });

  it('5.3, 1 an unauthenticated request to /mcp is 401 and names the metadata', async () => {
    const metadata = `${service.url}/.well-known/oauth-protected-resource`;
    for (const method of ['POST', 'GET', 'DELETE']) {
      const request = method === 'POST' ? { body: listing, headers: accept } : { headers: accept };
      const reply = await send(service.url, method, '/mcp', request);
      assert.equal(reply.status, 401, method);
      assert.equal(reply.header('www-authenticate'), `Bearer resource_metadata="${metadata}"`, method);
    }
    assert.equal((await fetch(metadata)).status, 200, 'the address that it names answers');
  });

  it('5.3, 1 to HEAD it names the metadata whose resource is the requested address', async () => {
    const { headers } = await fetch(`${service.url}/mcp`, { method: 'HEAD' });
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const { resource } = (await (await fetch(metadata)).json()) as { resource: string };
    assert.equal(resource, `${service.url}/mcp`);
  });

  it('5.3 the documents: each is at its address and names the others', async () => {
    const { url } = service;
    const resource = (await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()) as {
      resource: string;
      authorization_servers: string[];
    };
    assert.deepEqual([resource.resource, resource.authorization_servers], [url, [url]]);
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const found = (await (await fetch(`${url}/.well-known/${name}`)).json()) as Discovery;
      assert.equal(found.issuer, url);
      assert.equal(found.registration_endpoint, `${url}/api/v1/oauth/register`);
      assert.equal(found.authorization_endpoint, `${url}/oauth/authorize`);
      assert.equal(found.token_endpoint, `${url}/api/v1/oauth/token`);
      assert.equal(found.revocation_endpoint, `${url}/api/v1/oauth/revoke`);
    }
  });

  describe('5.3 with three origins', () => {
    const at = { base: 'https://api.example', mcp: 'https://mcp.example', web: 'https://app.example' };
    let split: Hosted;
    before(async () => {
      const server = { base_url: at.base, mcp_url: at.mcp, web_url: at.web, trusted_proxies: ['loopback'] };
      split = await startHosted({ server });
    });
    after(() => split.stop());
    const read = async <T>(origin: string, path: string) => {
      const headers = { host: new URL(origin).host, 'x-forwarded-proto': 'https' };
      const answer = await ask(split.local, path, { headers });
      assert.equal(answer.status, 200, `${origin}${path}`);
      return answer.json<T>();
    };

    it('the protected-resource document names the MCP origin and the API origin', async () => {
      const path = '/.well-known/oauth-protected-resource';
      const { resource, authorization_servers } = await read<Record<string, unknown>>(at.mcp, path);
      assert.deepEqual([resource, authorization_servers], [at.mcp, [at.base]]);
    });

    it('discovery under the API origin advertises the same endpoints as under the MCP origin', async () => {
      const path = '/.well-known/oauth-authorization-server';
      const [ofApi, ofMcp] = [await read<Discovery>(at.base, path), await read<Discovery>(at.mcp, path)];
      assert.deepEqual(ofApi, ofMcp);
      assert.equal(ofApi.issuer, at.base);
      assert.equal(ofApi.authorization_endpoint, `${at.web}/oauth/authorize`);
      assert.equal(ofApi.token_endpoint, `${at.base}/api/v1/oauth/token`);
      assert.equal(ofApi.registration_endpoint, `${at.base}/api/v1/oauth/register`);
    });

    it('the challenge names the MCP origin, whatever Host was asked', async () => {
      for (const origin of Object.values(at)) {
        const headers = { host: new URL(origin).host, 'content-type': 'application/json', ...accept };
        const body = JSON.stringify(listing);
        const answer = await ask(split.local, '/mcp', { method: 'POST', headers, body });
        const named = `Bearer resource_metadata="${at.mcp}/.well-known/oauth-protected-resource"`;
        assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, named]);
      }
    });
  });

  describe('5.3, 2 and 3: a client registers itself and completes the exchange, with no key and no secret', () => {
    let browser: Browser;
    let application: Application;
    let granted: Granted;
    before(async () => {
      browser = new Browser(service.url);
      await browser.signIn(ann.email);
      application = await new Application(service.url).register();
      granted = await application.tokens(browser);
    });

    it('the token is good at /mcp', async () => {
      const reply = await send<RpcReply>(service.url, 'POST', '/mcp', {
        body: listing,
        headers: { ...accept, ...bearer(granted.access_token) },
      });
      assert.equal(reply.status, 200);
    });

    it('the token endpoint accepts a form and JSON alike', async () => {
      const fields = {
        grant_type: 'authorization_code',
        client_id: application.id,
        redirect_uri: REDIRECT,
      };
      const bodies = [
        (all: object) => ({
          headers: FORM_BODY,
          body: new URLSearchParams(all as Record<string, string>).toString(),
        }),
        (all: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(all) }),
      ];
      for (const bodyOf of bodies) {
        const { code, verifier } = await application.code(browser);
        const request = { method: 'POST', ...bodyOf({ ...fields, code, code_verifier: verifier }) };
        const answer = await ask(service.url, '/api/v1/oauth/token', request);
        assert.equal(answer.status, 200, answer.text);
        const tokens = answer.json<Granted & { token_type: string; expires_in: number }>();
        assert.equal(tokens.token_type, 'Bearer');
        assert.ok(tokens.access_token && tokens.refresh_token && tokens.expires_in > 0);
      }
    });

    it('the revocation endpoint ends a token', async () => {
      const { access_token, refresh_token } = await application.tokens(browser);
      const token = { token: refresh_token, client_id: application.id };
      assert.equal((await post(service.url, '/api/v1/oauth/revoke', token)).status, 200);
      const headers = { ...accept, ...bearer(access_token) };
      assert.equal((await send(service.url, 'POST', '/mcp', { body: listing, headers })).status, 401);
    });
  });

  describe('5.4 the headers of credentials, on the REST, compatibility and MCP routes', () => {
    const forms: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
      ['X-Service-API-Key', async () => ({ 'x-service-api-key': ann.key })],
      ['X-API-Key', async () => ({ 'x-api-key': ann.key })],
      ['Authorization: Bearer', async () => bearer(ann.key)],
      ['X-Service-JWT', async () => ({ 'x-service-jwt': await jwtOf(ann.id) })],
      ['Authorization: Bearer with a JWT', async () => bearer(await jwtOf(ann.id))],
    ];
    for (const [name, headersOf] of forms) {
      it(`5.4 ${name} is accepted`, async () => {
        const headers = await headersOf();
        const me = await send(service.url, 'GET', '/v1/auth/me', { headers });
        assert.deepEqual([me.status, me.body.data?.['id']], [200, ann.id]);
        const tools = await send(service.url, 'GET', '/api/v1/tools/list', { headers });
        assert.equal(tools.status, 200);
        const mcp = await send(service.url, 'POST', '/mcp', {
          body: listing,
          headers: { ...accept, ...headers },
        });
        assert.equal(mcp.status, 200);
      });
    }

    it('5.4 unauthenticated routes: health and discovery documents', async () => {
      for (const path of [
        '/health',
        '/api/v1/health',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-authorization-server',
        '/.well-known/openid-configuration',
      ])
        assert.equal((await send(service.url, 'GET', path)).status, 200, path);
    });

    it('5.4 HS256 is verified here only with a secret, and /health says which', async () => {
      const health = await send<{ jwt_verification: string }>(service.url, 'GET', '/health');
      assert.equal(health.body.jwt_verification, 'local');
      const without = await startHosted();
      try {
        const other = await send<{ jwt_verification: string }>(without.url, 'GET', '/health');
        assert.equal(other.body.jwt_verification, 'upstream');
        const headers = { 'x-service-jwt': await jwtOf(ann.id) };
        assert.equal((await send(without.url, 'GET', '/v1/auth/me', { headers })).status, 401);
      } finally {
        await without.stop();
      }
    });
  });
});

function jwtOf(userId: string): Promise<string> {
  return new SignJWT({ sub: userId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(JWT_SECRET));
}
