import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  Browser,
  Client,
  PASSWORD,
  REDIRECT,
  form,
  json,
  locationOf,
  oauthHost,
  pkce,
  send,
  signedIn,
  type OAuthHost,
  type Tokens,
} from './oauth-support.js';

eachDatabase((fresh) => {
  describe('the OAuth flow', () => {
    let host: OAuthHost;
    let browser: Browser;
    let client: Client;
    before(async () => {
      host = await oauthHost({ database: await fresh() });
      browser = await signedIn(host, 'ann@example.com');
      client = await new Client(host).register();
    });
    after(() => host.stop());

    it('goes from sign-in to tokens that name the grant', async () => {
      await host.accounts.register({
        email: 'new@example.com',
        password: PASSWORD,
        name: 'New',
        peer: '::1',
      });
      const stranger = new Browser(host.port);
      const { verifier, challenge } = pkce();
      const page = await client.begin(stranger, challenge);
      assert.ok(page.startsWith(`${host.url}/oauth/interaction/`));
      const login = await stranger.get(page);
      assert.equal(login.status, 200);
      assert.match(login.text, /To connect Test &lt;client&gt;, sign in first/);
      const wrong = await stranger.post(`${page}/login`, {
        email: 'new@example.com',
        password: 'wrong password',
      });
      assert.equal(wrong.status, 400);
      assert.match(wrong.text, /The address or the password is wrong/);
      assert.match(wrong.text, /value="new@example.com"/);
      assert.doesNotMatch(wrong.text, /wrong password"/);
      const right = await stranger.post(`${page}/login`, { email: 'new@example.com', password: PASSWORD });
      assert.equal(locationOf(right), new URL(page).pathname);
      const back = await client.consent(stranger, page);
      assert.equal(back.origin + back.pathname, REDIRECT);
      assert.equal(back.searchParams.get('state'), 'st4te');
      assert.equal(back.searchParams.get('iss'), host.url);
      const answer = await client.redeem({ code: String(back.searchParams.get('code')), verifier });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers['cache-control'], 'no-store');
      const tokens = answer.json<Tokens>();
      assert.equal(tokens.token_type, 'Bearer');
      assert.equal(tokens.expires_in, 900);
      assert.equal(tokens.scope, 'mcp:read mcp:write');
      const grant = await host.tokens.find(tokens.access_token);
      const account = await host.directory.byEmail('new@example.com');
      assert.equal(grant?.userId, account?.id);
      assert.equal(grant?.clientId, client.id);
      assert.deepEqual(grant?.scopes, ['mcp:read', 'mcp:write']);
      assert.ok(Date.parse(grant?.expiresAt ?? '') - Date.now() > 890_000);
    });

    it('stores no code, token, interaction or client secret in plain text', async () => {
      const secretive = new Client(host);
      const registered = await send(host.port, `${host.url}/api/v1/oauth/register`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({
          redirect_uris: [REDIRECT],
          token_endpoint_auth_method: 'client_secret_basic',
        }),
      });
      const { client_id, client_secret } = registered.json<{ client_id: string; client_secret: string }>();
      secretive.id = client_id;
      const got = await secretive.code(browser);
      const basic = {
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      };
      const fields = {
        grant_type: 'authorization_code',
        code: got.code,
        code_verifier: got.verifier,
        redirect_uri: REDIRECT,
      };
      const bad = { authorization: `Basic ${Buffer.from(`${client_id}:wrong`).toString('base64')}` };
      assert.equal((await secretive.token(fields, bad)).status, 401);
      const answer = await secretive.token(fields, basic);
      assert.equal(answer.status, 200, answer.text);
      const { access_token, refresh_token } = answer.json<Tokens>();
      await secretive.token({ grant_type: 'refresh_token', refresh_token }, basic);
      const page = await client.begin(browser, pkce().challenge);
      const { sql } = host.database;
      const everything = JSON.stringify(
        await Promise.all(
          ['oauth_records', 'oauth_grants', 'oauth_clients'].map((table) => sql(table).select()),
        ),
      );
      const uid = page.split('/').at(-1) ?? '';
      assert.ok(everything.length > 1000 && uid.length > 20);
      for (const secret of [got.code, access_token, refresh_token, client_secret, uid])
        assert.ok(!everything.includes(secret), secret);
    });

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

    it('issues an ID token that its published keys verify and that is not an access token', async () => {
      const tokens = await client.tokens(browser, { scope: 'openid mcp:read', nonce: 'n0nce' });
      assert.ok(tokens.id_token);
      const jwks = createRemoteJWKSet(new URL(`${host.url}/api/v1/oauth/jwks`));
      const { payload } = await jwtVerify(tokens.id_token, jwks, {
        issuer: host.url ?? '',
        audience: client.id,
      });
      assert.equal(payload['nonce'], 'n0nce');
      assert.equal(payload['email'], 'ann@example.com');
      assert.equal(await host.tokens.find(tokens.id_token), undefined);
      assert.equal(await host.tokens.find(tokens.refresh_token), undefined, 'nor is a refresh token');
    });

    it('asks for consent each time, and accepts a denial', async () => {
      await client.tokens(browser);
      const again = await browser.get(await client.begin(browser, pkce().challenge));
      assert.match(again.text, /Allow Test &lt;client&gt;\?/);
      const denied = await client.consent(browser, await client.begin(browser, pkce().challenge), 'deny');
      assert.equal(denied.searchParams.get('error'), 'access_denied');
      const silent = await browser.get(client.authorizeUrl(pkce().challenge, { prompt: 'none' }));
      assert.equal(new URL(locationOf(silent)).searchParams.get('error'), 'login_required');
    });

    it('asks for the password again when the application requires it', async () => {
      const page = await client.begin(browser, pkce().challenge, { prompt: 'login' });
      assert.match((await browser.get(page)).text, /type="password"/);
      const answer = await browser.post(`${page}/login`, { email: 'ann@example.com', password: PASSWORD });
      assert.equal(answer.status, 303);
      const back = await client.consent(browser, page);
      assert.ok(back.searchParams.get('code'), back.href);
    });

    it('lets two authorizations of one browser run side by side', async () => {
      const [first, second] = [pkce(), pkce()];
      const pages = [
        await client.begin(browser, first.challenge),
        await client.begin(browser, second.challenge),
      ];
      const backs = [
        await client.consent(browser, pages[1] ?? ''),
        await client.consent(browser, pages[0] ?? ''),
      ];
      const codes = backs.map((back) => String(back.searchParams.get('code')));
      assert.equal((await client.redeem({ code: codes[0] ?? '', verifier: second.verifier })).status, 200);
      assert.equal((await client.redeem({ code: codes[1] ?? '', verifier: first.verifier })).status, 200);
    });

    it('serves two people in one browser, one after the other', async () => {
      const shared = await signedIn(host, 'one@example.com');
      await client.tokens(shared);
      await shared.post(`${host.url}/oauth/logout`, {});
      await host.accounts.register({
        email: 'two@example.com',
        password: PASSWORD,
        name: 'Two',
        peer: '::1',
      });
      await shared.post(`${host.url}/oauth/login`, { email: 'two@example.com', password: PASSWORD });
      const { access_token } = await client.tokens(shared);
      const two = await host.directory.byEmail('two@example.com');
      assert.equal((await host.tokens.find(access_token))?.userId, two?.id);
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

    it('accepts a token for its own audience only', async () => {
      const { access_token } = await client.tokens(browser);
      const { sql } = host.database;
      const rows = (await sql('oauth_records').where({ model: 'AccessToken' }).select()) as Array<{
        key: string;
        payload: string;
      }>;
      for (const { key, payload } of rows) {
        const stored = payload.replace(`${host.url}/mcp`, 'https://another.example/mcp');
        await sql('oauth_records').where({ key }).update({ payload: stored });
      }
      assert.equal(await host.tokens.find(access_token), undefined);
    });

    it('revokes a token with its grant', async () => {
      const { access_token, refresh_token } = await client.tokens(browser);
      const revoke = (body: string, headers: Record<string, string>) =>
        send(host.port, `${host.url}/api/v1/oauth/revoke`, { method: 'POST', body, headers });
      const other = await new Client(host).register();
      await revoke(new URLSearchParams({ token: refresh_token, client_id: other.id }).toString(), form);
      assert.ok(await host.tokens.find(access_token), 'another client cannot');
      const answer = await revoke(JSON.stringify({ token: refresh_token, client_id: client.id }), json);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await host.tokens.find(access_token), undefined);
      assert.equal((await client.refresh(refresh_token)).json()['error'], 'invalid_grant');
      assert.equal(
        (await revoke(new URLSearchParams({ token: 'unknown', client_id: client.id }).toString(), form))
          .status,
        200,
      );
    });

    it('ends tokens with the password and the account', async () => {
      const person = await signedIn(host, 'gone@example.com');
      const account = await host.directory.byEmail('gone@example.com');
      assert.ok(account);
      const first = await client.tokens(person);
      await host.accounts.setPassword({
        userId: account.id,
        currentPassword: PASSWORD,
        newPassword: `${PASSWORD}!`,
        peer: '::1',
      });
      assert.equal(await host.tokens.find(first.access_token), undefined);
      await person.post(`${host.url}/oauth/login`, { email: account.email, password: `${PASSWORD}!` });
      const second = await client.tokens(person);
      await host.database
        .sql('users')
        .where({ id: account.id })
        .update({ disabled_at: new Date().toISOString() });
      assert.equal(await host.tokens.find(second.access_token), undefined);
      assert.equal((await client.refresh(second.refresh_token)).json()['error'], 'invalid_grant');
    });
  });
});
