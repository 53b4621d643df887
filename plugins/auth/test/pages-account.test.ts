import assert from 'node:assert/strict';
import { defineTransport, type Caller } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import { createReset } from '@service-mcp/plugin-auth/internals';
import { Browser, locationOf } from './oauth-browser.js';
import { Client, PASSWORD, oauthHost, registerAccount, signedIn, type OAuthHost } from './oauth-support.js';

eachDatabase((fresh) => {
  describe('pages of an account', () => {
    let host: OAuthHost;
    let web: string;
    before(async () => {
      const server = { allowed_hosts: ['memory.lan:8080'] };
      const settings = { registration: 'open' };
      const front = {
        id: 'front',
        description: 'Pages at /.',
        api: '^1',
        hasPages: true,
        mount: () => undefined,
      };
      const transports = [defineTransport(front)];
      host = await oauthHost({ database: await fresh(), server, settings, transports });
      web = host.url ?? '';
    });
    after(() => host.stop());
    const visitor = () => new Browser(host.port);

    it('name the address to sign in at, where one is served that is not it', async () => {
      const login = 'http://memory.lan:8080/oauth/login';
      assert.equal((await visitor().get(login)).status, 200);
      const own = await visitor().post(login, { email: 'x@example.com', password: PASSWORD });
      assert.equal(own.status, 403);
      assert.match(own.text, /SERVICE_BASE_URL=http:\/\/memory\.lan:8080/);
      assert.ok(own.text.includes(`href="${web}/oauth/login"`), own.text);
      const foreign = await visitor().post(login, {}, { origin: 'http://evil.example' });
      assert.equal(foreign.status, 403);
      assert.doesNotMatch(foreign.text, /evil|SERVICE_BASE_URL/);
    });

    it('set a password with a link that works once', async () => {
      const { id } = await registerAccount(host, {
        email: 'dot@example.com',
        password: PASSWORD,
        name: 'Dot',
        peer: '::1',
      });
      const link = await host.database.transaction((sql) => createReset(sql, host.clock, id));
      const browser = visitor();
      const page = await browser.get(`${web}/oauth/password?token=${link}`);
      assert.match(page.text, /dot@example\.com/);
      const mismatch = await browser.post(`${web}/oauth/password`, {
        token: link,
        new_password: 'a new password',
        again: 'other',
      });
      assert.equal(mismatch.status, 400);
      const set = await browser.post(`${web}/oauth/password`, {
        token: link,
        new_password: 'a new password',
        again: 'a new password',
      });
      assert.equal(locationOf(set), '/');
      assert.equal((await browser.get(`${web}/oauth/account`)).status, 200);
      assert.equal((await visitor().get(`${web}/oauth/password?token=${link}`)).status, 410);
      assert.equal(
        (
          await visitor().post(`${web}/oauth/password`, {
            token: link,
            new_password: 'a new password',
            again: 'a new password',
          })
        ).status,
        410,
      );
      await host.accounts.login({ email: 'dot@example.com', password: 'a new password', peer: '::1' });
    });

    it('lead to the pages of a transport that has some', async () => {
      const browser = await signedIn(host, 'ida@example.com');
      assert.match((await browser.get(`${web}/oauth/account`)).text, /<a href="\/">Open the dashboard<\/a>/);
      assert.equal(locationOf(await browser.get(`${web}/oauth/login`)), '/');
    });

    it('change the password, and end every other browser', async () => {
      const [here, there] = [await signedIn(host, 'eve@example.com'), visitor()];
      await there.post(`${web}/oauth/login`, { email: 'eve@example.com', password: PASSWORD });
      const change = (fields: Record<string, string>) =>
        here.post(`${web}/oauth/account/password`, {
          current_password: PASSWORD,
          new_password: 'another one now',
          again: 'another one now',
          ...fields,
        });
      const wrong = await change({ current_password: 'not the password' });
      assert.equal(wrong.status, 400);
      assert.match(wrong.text, /id="current_password-error"/);
      assert.equal((await change({ again: 'x' })).status, 400);
      const changed = await change({});
      assert.equal(changed.status, 200, changed.text);
      assert.match(changed.text, /Your password is changed/);
      assert.equal((await here.get(`${web}/oauth/account`)).status, 200);
      assert.equal((await there.get(`${web}/oauth/account`)).status, 303);
    });

    it('show the connected applications of the visitor, and disconnect them', async () => {
      const [mine, others] = [
        await signedIn(host, 'fay@example.com'),
        await signedIn(host, 'gus@example.com'),
      ];
      const client = await new Client(host).register({
        client_name: 'Tool "><script>alert(1)</script>\u202e',
      });
      const [ours, theirs] = [await client.tokens(mine), await client.tokens(others)];
      const page = await mine.get(`${web}/oauth/account`);
      assert.match(page.text, /Tool &quot;&gt;&lt;script&gt;/);
      assert.ok(!page.text.includes('\u202e'));
      // Programs of the same name differ in nothing else.
      assert.match(page.text, /since 20\d\d-\d\d-\d\d \d\d:\d\d,\s+not used yet/);
      await host.tokens.find(ours.access_token);
      assert.doesNotMatch((await mine.get(`${web}/oauth/account`)).text, /not used yet/);
      const used = { last_used_at: '2026-03-04T05:06:00.000Z' };
      await host.database.sql('oauth_grants').where({ client_id: client.id }).update(used);
      assert.match((await mine.get(`${web}/oauth/account`)).text, /last used 2026-03-04 05:06 UTC/);
      // Tokens of an earlier consent live on beside those of the latest one.
      await client.tokens(mine, { scope: 'mcp:read' });
      const caller = (await host.tokens.find(ours.access_token)) as Caller;
      const { items } = await host.use<{ items: Array<{ scopes: string[] }> }>(
        'auth_list_connections',
        {},
        { caller, surface: 'rest' },
      );
      assert.deepEqual(
        items.map(({ scopes }) => scopes),
        [['mcp:read', 'mcp:write']],
      );
      const gone = await mine.post(`${web}/oauth/account/disconnect`, { client_id: client.id });
      assert.equal(gone.status, 303);
      assert.equal(await host.tokens.find(ours.access_token), undefined);
      assert.equal((await client.refresh(ours.refresh_token)).json()['error'], 'invalid_grant');
      assert.ok(await host.tokens.find(theirs.access_token), 'somebody else’s stay');
      assert.match(
        (await mine.get(`${web}/oauth/account`)).text,
        /None\. Applications that you authorize appear/,
      );
    });
  });
});
