import assert from 'node:assert/strict';
import { ServiceError } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import { send } from './oauth-browser.js';
import { Client, oauthHost, signedIn, type Addresses, type OAuthHost } from './oauth-support.js';

const SPLIT: Addresses = {
  base: 'https://api.example.test',
  mcp: 'https://mcp.example.test',
  web: 'https://app.example.test',
};
const SUFFIXES = ['', '/mcp', '/agent-a', '/agent-b', '/client'];

eachDatabase((fresh) => {
  describe('discovery', () => {
    let single: OAuthHost;
    let split: OAuthHost;
    before(async () => {
      single = await oauthHost({ database: await fresh(), settings: { client_documents: 'always' } });
      split = await oauthHost({
        database: await fresh(),
        server: {
          base_url: SPLIT.base,
          mcp_url: SPLIT.mcp,
          web_url: SPLIT.web,
          trusted_proxies: ['loopback'],
        },
      });
    });
    after(async () => {
      await single.stop();
      await split.stop();
    });
    const cases = (): Array<[OAuthHost, Addresses]> => {
      const url = single.url ?? '';
      return [
        [single, { base: url, mcp: url, web: url }],
        [split, SPLIT],
      ];
    };

    it('names the resource at the root and at each endpoint, for every origin', async () => {
      for (const [host, at] of cases()) {
        for (const origin of Object.values(at)) {
          for (const suffix of SUFFIXES) {
            const answer = await send(host.port, `${origin}/.well-known/oauth-protected-resource${suffix}`);
            assert.equal(answer.status, 200);
            const document = answer.json();
            assert.equal(document['resource'], `${at.mcp}${suffix}`);
            assert.deepEqual(document['authorization_servers'], [at.base]);
            assert.deepEqual(document['scopes_supported'], ['mcp:read', 'mcp:write']);
          }
        }
      }
    });

    it('describes the authorization server at every address that clients try', async () => {
      const paths = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
        ...SUFFIXES.map((suffix) => `/.well-known/${name}${suffix}`),
        ...SUFFIXES.slice(1).map((prefix) => `${prefix}/.well-known/${name}`),
      ]);
      for (const [host, at] of cases()) {
        for (const origin of Object.values(at)) {
          for (const path of paths) {
            const answer = await send(host.port, origin + path);
            assert.equal(answer.status, 200, path);
            const document = answer.json();
            assert.equal(document['issuer'], at.base);
            assert.equal(document['authorization_endpoint'], `${at.web}/oauth/authorize`);
            assert.equal(document['token_endpoint'], `${at.base}/api/v1/oauth/token`);
            assert.equal(document['registration_endpoint'], `${at.base}/api/v1/oauth/register`);
            assert.equal(document['revocation_endpoint'], `${at.base}/api/v1/oauth/revoke`);
            assert.equal(document['jwks_uri'], `${at.base}/api/v1/oauth/jwks`);
            assert.deepEqual(document['code_challenge_methods_supported'], ['S256']);
            assert.equal(document['authorization_response_iss_parameter_supported'], true);
            assert.equal(document['client_id_metadata_document_supported'], true);
          }
        }
      }
    });

    it('agrees with the document of the library', async () => {
      // We do not serve the library's document; it shows whether ours has drifted.
      const { createProvider } = await import('@service-mcp/plugin-auth/internals').then((all) =>
        all.loadProvider(),
      );
      const provider = createProvider({
        origins: SPLIT,
        keys: await split.keys.current(),
        scopes: [],
        stores: { records: {}, grants: {}, clients: {} },
      } as unknown as Parameters<typeof createProvider>[0]); // its discovery needs only these
      const { createServer } = await import('node:http');
      const server = createServer(provider.callback());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const theirs = (await send(port, `${SPLIT.base}/.well-known/openid-configuration`)).json();
      server.close();
      const ours = (await send(split.port, `${SPLIT.base}/.well-known/openid-configuration`)).json();
      for (const [name, value] of Object.entries(theirs)) {
        if (ours[name] === undefined || /_endpoint$|_uri$|^response_modes/.test(name)) continue;
        const [left, right] = [ours[name], value].map((one) =>
          Array.isArray(one) ? [...(one as string[])].sort() : one,
        );
        if (name === 'scopes_supported' || name === 'claims_supported') {
          assert.ok(
            (right as string[]).every(
              (one) => ['sid', 'acr'].includes(one) || (left as string[]).includes(one),
            ),
            name,
          );
        } else assert.deepEqual(left, right, name);
      }
    });

    it('ignores the Host header: a foreign one is rejected, forwarded ones change nothing', async () => {
      const path = '/.well-known/oauth-authorization-server';
      assert.equal((await send(split.port, `http://evil.example${path}`)).status, 421);
      const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      assert.equal((await send(split.port, SPLIT.base + path, { headers: forwarded })).status, 421);
      assert.equal(
        (await send(single.port, single.url + path, { headers: forwarded })).json()['issuer'],
        single.url,
      );
    });

    it('names a loopback resource as the client does, and its authorization server as configured', async () => {
      const resource = async (host: OAuthHost, name: string, headers = {}) =>
        (await send(host.port, `${name}/.well-known/oauth-protected-resource/mcp`, { headers })).json();
      for (const name of ['localhost', '[::1]', '127.0.0.1']) {
        const document = await resource(single, `http://${name}:${single.port}`);
        assert.equal(document['resource'], `http://${name}:${single.port}/mcp`);
        assert.deepEqual(document['authorization_servers'], [single.url]);
      }
      // A proxy that does not pass Host on asks for a loopback name on behalf of others.
      assert.equal((await resource(split, `http://localhost:${split.port}`))['resource'], `${SPLIT.mcp}/mcp`);
    });

    it('lets pages of every origin read it, register, get and revoke tokens', async () => {
      const origin = 'https://inspector.example';
      for (const path of [
        '/.well-known/oauth-protected-resource/mcp',
        '/.well-known/openid-configuration',
        '/api/v1/oauth/jwks',
      ]) {
        const answer = await send(single.port, single.url + path, { headers: { origin } });
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers['access-control-allow-origin'], origin);
        assert.match(String(answer.headers['access-control-expose-headers']), /WWW-Authenticate/);
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
        // A shared cache must not serve a program's response to a page.
        const { headers } = await send(single.port, single.url + path);
        if (/public/.test(String(headers['cache-control'])))
          assert.match(String(headers['vary']), /Origin/, path);
        else assert.equal(headers['cache-control'], 'no-store', path);
      }
      for (const path of ['register', 'token', 'revoke']) {
        const url = `${single.url}/api/v1/oauth/${path}`;
        const asked = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        };
        const preflight = await send(single.port, url, { method: 'OPTIONS', headers: asked });
        assert.equal(preflight.status, 204, path);
        assert.equal(preflight.headers['access-control-allow-origin'], origin);
        const headers = { origin, 'content-type': 'application/json' };
        const answer = await send(single.port, url, { method: 'POST', body: '{}', headers });
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.headers['access-control-allow-origin'], origin);
      }
      for (const path of ['/oauth/login', '/oauth/account']) {
        const answer = await send(single.port, single.url + path, { headers: { origin } });
        assert.equal(answer.status, 403, path);
        assert.equal(answer.headers['access-control-allow-origin'] ?? '', '');
      }
    });

    it('runs the whole flow over three hosts behind a proxy, with cookies for https only', async () => {
      const browser = await signedIn(split, 'ann@example.test', SPLIT.web);
      assert.match(browser.cookies(`${SPLIT.web}/`), /^__Host-service_session=/);
      const client = await new Client(split, SPLIT).register();
      const tokens = await client.tokens(browser, { resource: `${SPLIT.mcp}/mcp` });
      assert.equal((await split.tokens.find(tokens.access_token))?.clientId, client.id);
      assert.equal((await client.refresh(tokens.refresh_token)).status, 200);
      const { back } = await client.code(browser);
      assert.equal(back.searchParams.get('iss'), SPLIT.base);
    });

    it('names metadata, error and scopes in a challenge', () => {
      const metadata = `resource_metadata="${SPLIT.mcp}/.well-known/oauth-protected-resource"`;
      const of = (code: 'UNAUTHENTICATED' | 'PERMISSION_DENIED', details?: Record<string, unknown>) =>
        split.tokens.challenge(new ServiceError(code, 'x', details ? { details } : {}));
      assert.equal(of('UNAUTHENTICATED'), `Bearer ${metadata}`);
      assert.equal(
        of('UNAUTHENTICATED', { credential: 'refused' }),
        `Bearer error="invalid_token", ${metadata}`,
      );
      assert.equal(
        of('PERMISSION_DENIED', { scope: 'admin:write' }),
        `Bearer error="insufficient_scope", scope="mcp:read mcp:write admin:write", ${metadata}`,
      );
    });
  });
});
