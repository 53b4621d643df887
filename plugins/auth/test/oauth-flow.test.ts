import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Browser, locationOf, send } from './oauth-browser.js';
import {
  Client,
  PASSWORD,
  REDIRECT,
  form,
  json,
  oauthHost,
  registerAccount,
  pkce,
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
      await registerAccount(host, {
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
      await registerAccount(host, {
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
