import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { locationOf, send, type Browser } from './oauth-browser.js';
import {
  Client,
  REDIRECT,
  json,
  oauthHost,
  pkce,
  signedIn,
  type OAuthHost,
  type Tokens,
} from './oauth-support.js';

eachDatabase((fresh) => {
  describe('requests of OAuth clients', () => {
    let host: OAuthHost;
    let browser: Browser;
    let client: Client;
    before(async () => {
      host = await oauthHost({ database: await fresh() });
      browser = await signedIn(host, 'ann@example.com');
      client = await new Client(host).register();
    });
    after(() => host.stop());

    it('accepts JSON, and rejects nested, large and other content', async () => {
      const { code, verifier } = await client.code(browser);
      const url = `${host.url}/api/v1/oauth/token`;
      const fields = {
        grant_type: 'authorization_code',
        client_id: client.id,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
      };
      const post = (body: unknown, headers: Record<string, string> = json) =>
        send(host.port, url, {
          method: 'POST',
          headers,
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });
      for (const body of [
        { ...fields, code: [code] },
        { ...fields, code: { a: code } },
        [fields],
        '{',
        'null',
        '"x"',
      ]) {
        const answer = await post(body);
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.json()['error'], 'invalid_request');
      }
      assert.equal((await post('x', { 'content-type': 'text/plain' })).status, 400);
      const large = await post({ ...fields, padding: 'x'.repeat(33 * 1024) });
      assert.equal(large.status, 413);
      assert.equal(large.json()['error'], 'invalid_request');
      const answer = await post(fields);
      assert.equal(answer.status, 200, answer.text);
    });

    it('responds in the address only, not with a page that needs a script', async () => {
      const answer = await browser.get(client.authorizeUrl(pkce().challenge, { response_mode: 'form_post' }));
      const back = new URL(locationOf(answer));
      assert.equal(back.searchParams.get('error'), 'unsupported_response_mode');
      const { challenge } = pkce();
      const page = await client.begin(browser, challenge, { response_mode: 'fragment' });
      assert.match((await client.consent(browser, page)).hash, /code=/);
    });

    it('needs PKCE with S256', async () => {
      for (const more of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge_method: 'plain' },
      ]) {
        const answer = await browser.get(client.authorizeUrl(pkce().challenge, more));
        assert.equal(answer.status, 303);
        const back = new URL(locationOf(answer));
        assert.equal(back.searchParams.get('error'), 'invalid_request');
        assert.equal(back.searchParams.get('iss'), host.url);
      }
      const got = await client.code(browser);
      assert.equal(
        (await client.redeem({ ...got, verifier: pkce().verifier })).json()['error'],
        'invalid_grant',
      );
    });

    it('accepts every spelling of its resource, and no other', async () => {
      const { port } = host;
      const own = `http://127.0.0.1:${port}`;
      const spellings = [
        `${own}/mcp`, `${own}/mcp/`, own, `${own}/`, `${own}/mcp?default_context_mode=fast`, `${own}/agent-a`,
        `HTTP://127.0.0.1:${port}/agent-b/`, `${own}/client`, 'http://localhost:8787/mcp', 'http://[::1]:8787/agent-a',
      ]; // prettier-ignore
      for (const resource of spellings) {
        const answer = await client.redeem(await client.code(browser, { resource }), { resource });
        assert.equal(answer.status, 200, `${resource}: ${answer.text}`);
        const { access_token, refresh_token } = answer.json<Tokens>();
        assert.ok(await host.tokens.find(access_token), resource);
        assert.equal((await client.refresh(refresh_token, { resource })).status, 200, resource);
      }
      for (const resource of [
        'https://evil.example/mcp',
        `${own}/other`,
        `${own}/mcp#x`,
        'mcp',
        'http://127.0.0.1.evil.example/mcp',
      ]) {
        const answer = await browser.get(client.authorizeUrl(pkce().challenge, { resource }));
        assert.equal(new URL(locationOf(answer)).searchParams.get('error'), 'invalid_target', resource);
        const refused = await client.redeem(await client.code(browser), { resource });
        assert.equal(refused.json()['error'], 'invalid_target', resource);
      }
    });

    it('grants the requested scopes, steps up, and ignores unknown ones', async () => {
      const asked = await client.tokens(browser, { scope: 'mcp:read unknown:read' });
      assert.equal(asked.scope, 'mcp:read');
      const more = await client.tokens(browser, { scope: 'mcp:read mcp:write admin:write' });
      assert.deepEqual(more.scope.split(' ').sort(), ['admin:write', 'mcp:read', 'mcp:write']);
      const narrowed = await client.refresh(more.refresh_token, { scope: 'mcp:read' });
      assert.equal(narrowed.json<Tokens>().scope, 'mcp:read');
      const wide = await client.refresh(asked.refresh_token, { scope: 'mcp:read mcp:write' });
      assert.equal(wide.json()['error'], 'invalid_scope');
    });

    it('does not redirect to an unregistered address', async () => {
      const answer = await browser.get(
        client.authorizeUrl(pkce().challenge, { redirect_uri: 'https://evil.example/' }),
      );
      assert.equal(answer.status, 400);
      assert.equal(answer.headers['location'], undefined);
      assert.match(answer.text, /did not register/);
      const unknown = await browser.get(client.authorizeUrl(pkce().challenge, { client_id: '<script>' }));
      assert.equal(unknown.status, 400);
      assert.doesNotMatch(unknown.text, /<script>/);
      const port = await browser.get(
        client.authorizeUrl(pkce().challenge, { redirect_uri: 'http://127.0.0.1:9999/callback' }),
      );
      assert.equal(port.status, 303, 'any port of the loopback address will do');
    });
  });
});
