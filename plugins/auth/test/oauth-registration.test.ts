import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { type Browser, send } from './oauth-browser.js';
import { Client, REDIRECT, json, oauthHost, pkce, signedIn, type OAuthHost } from './oauth-support.js';

eachDatabase((fresh) => {
  describe('dynamic client registration', () => {
    let host: OAuthHost;
    let browser: Browser;
    before(async () => {
      host = await oauthHost({ database: await fresh() });
      browser = await signedIn(host, 'ann@example.com');
    });
    after(() => host.stop());

    const post = (metadata: unknown, headers: Record<string, string> = json) =>
      send(host.port, `${host.url}/api/v1/oauth/register`, {
        method: 'POST',
        headers,
        body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
      });

    it('infers the kind of client', async () => {
      const kinds: Array<[string[], string]> = [
        [['http://127.0.0.1/callback'], 'native'],
        [['http://localhost:3000/cb'], 'native'],
        [['http://[::1]:1/cb'], 'native'],
        [['cursor://anysphere.cursor-mcp/callback'], 'native'],
        [['com.example.app:/cb'], 'native'],
        [['https://app.example.com/cb'], 'web'],
        [['https://app.example.com/cb', 'http://127.0.0.1/cb'], 'native'],
      ];
      for (const [redirect_uris, kind] of kinds) {
        const answer = await post({ redirect_uris });
        assert.equal(answer.status, 201, answer.text);
        const client = answer.json();
        assert.equal(client['application_type'], kind, redirect_uris.join());
        assert.equal(client['token_endpoint_auth_method'], 'none');
        assert.equal(client['client_secret'], undefined);
        assert.deepEqual(client['grant_types'], ['authorization_code', 'refresh_token']);
      }
    });

    it('rejects redirects that leak a code, and invalid metadata', async () => {
      const bad: unknown[] = [
        ['http://app.example.com/cb'], ['http://127.0.0.1.evil.example/cb'], ['http://2130706433.evil.example/'], ['javascript:alert(1)'],
        ['data:text/html,x'], ['https://app.example.com/cb#x'], ['/cb'], [''], [], [1], 'https://app.example.com', undefined,
        ['https://ann@app.example.com/cb'], ['http://127.0.0.1:1@evil.example/cb'], ['https://app.example.com\\\\@evil.example/cb'],
        ['ws://app.example.com/cb'], ['ftp://app.example.com/cb'], ['file:///etc/cb'], ['mailto:ann@example.com'],
        Array.from({ length: 21 }, (_, i) => `https://app.example.com/${i}`),
      ]; // prettier-ignore
      for (const redirect_uris of bad) {
        const answer = await post({ redirect_uris });
        assert.equal(answer.status, 400, JSON.stringify(redirect_uris));
        assert.match(String(answer.json()['error']), /^invalid_(redirect_uri|client_metadata)$/);
      }
      for (const body of ['[]', 'null', '"x"', '1']) assert.equal((await post(body)).status, 400, body);
      assert.equal((await post('{')).json()['error'], 'invalid_request');
      assert.equal((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415);
      assert.equal(
        (await post({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(17 * 1024) })).status,
        413,
      );
    });

    it('drops a stored scope, so that the client can request more later', async () => {
      const client = await new Client(host).register({ scope: 'openid' });
      const { scope } = await client.tokens(browser, { scope: 'openid mcp:read mcp:write' });
      assert.ok(scope.includes('mcp:write'));
      const metadata = (await host.database
        .sql('oauth_clients')
        .where({ id: client.id })
        .first('metadata')) as { metadata: string };
      assert.doesNotMatch(metadata.metadata, /"scope"/);
    });

    it('takes a name that no database stores, and connects', async () => {
      const client = await new Client(host).register({ client_name: 'a\0b\ud800' });
      await client.tokens(browser);
      const grants = host.database.sql('oauth_grants').where({ client_id: client.id });
      assert.deepEqual(await grants.select('client_name'), [{ client_name: 'a\ufffdb\ufffd' }]);
    });

    it('stores only what it reads of the description of a client', async () => {
      const links = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'];
      const answer = await post({
        redirect_uris: [REDIRECT],
        client_name: 'x'.repeat(300),
        contacts: ['ann@example.com'],
        ...Object.fromEntries(links.map((name) => [name, 'https://app.example.com/'])),
      });
      assert.equal(answer.status, 201, answer.text);
      const client = answer.json();
      assert.equal(client['client_name'], 'x'.repeat(200));
      for (const name of ['contacts', ...links]) assert.equal(client[name], undefined, name);
    });

    it('fetches no address of a registration', async () => {
      const url = 'http://127.0.0.1:1/x';
      const answer = await post({
        redirect_uris: ['https://a.example/cb'],
        sector_identifier_uri: url,
        jwks_uri: url,
        request_uris: [url],
      });
      assert.equal(answer.status, 201, answer.text);
      for (const name of ['sector_identifier_uri', 'jwks_uri', 'request_uris'])
        assert.equal(answer.json()[name], undefined);
    });

    it('accepts a client that requests unsupported grant types and algorithms', async () => {
      const answer = await post({
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code', 'token'],
        id_token_signed_response_alg: 'RS256',
      });
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(answer.json()['grant_types'], ['authorization_code', 'refresh_token']);
      assert.deepEqual(answer.json()['response_types'], ['code']);
    });

    it('limits the rate of registrations and authorizations per peer', async () => {
      let limited = await post({});
      for (let i = 0; i < 140 && limited.status !== 429; i++) limited = await post({});
      assert.equal(limited.status, 429);
      assert.equal(limited.json()['error'], 'temporarily_unavailable');
      assert.ok(Number(limited.headers['retry-after']) > 0);
      const client = new Client(host);
      client.id = 'unknown';
      let page = await browser.get(client.authorizeUrl(pkce().challenge));
      for (let i = 0; i < 260 && page.status !== 429; i++)
        page = await browser.get(client.authorizeUrl(pkce().challenge));
      assert.equal(page.status, 429);
      assert.match(page.text, /Too many/);
    });
  });
});
