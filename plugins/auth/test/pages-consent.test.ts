import assert from 'node:assert/strict';
import { behindLock, eachDatabase, onDatabase } from '@service-mcp/core/testing';
import { localPath, targetCspSource, describeTarget } from '@service-mcp/plugin-auth/internals';
import { Browser, locationOf, type Answer } from './oauth-browser.js';
import { Client, PASSWORD, oauthHost, pkce, signedIn, type OAuthHost } from './oauth-support.js';

const XSS = '"><script>alert(1)</script>';

describe('addresses on pages', () => {
  it('stay on this site', () => {
    const web = 'https://app.example';
    for (const path of ['/oauth/account', '/oauth/interaction/x?y=1', '/x/../y'])
      assert.ok(localPath(path, web, '/home') !== '/home', path);
    for (const path of [
      '',
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '\\/evil.example',
      '/\t/evil.example',
      ' //evil.example',
      '/%09/../..//evil',
      null,
      undefined,
    ]) {
      const found = localPath(path, web, '/home');
      assert.ok(new URL(found, web).origin === web && !found.startsWith('//'), String(path));
    }
    assert.equal(localPath('//evil.example', web, '/home'), '/home');
  });
  it('are readable', () => {
    assert.equal(describeTarget('https://app.example:444/cb?x'), 'app.example:444');
    assert.match(describeTarget('http://127.0.0.1:1/cb'), /127\.0\.0\.1:1 \(a program on this computer\)/);
    assert.match(describeTarget('cursor://x/cb'), /^cursor:\/\/x\/cb \(an application/);
    const website = 'microsoft-edge:https://evil.example/cb?x';
    assert.match(describeTarget(website), /evil\.example/, 'an application may open a website');
    assert.equal(targetCspSource('https://app.example/cb;script-src *'), 'https://app.example');
    assert.equal(targetCspSource('cursor://x;y'), 'cursor:');
    assert.equal(targetCspSource('http://[::1]:1/cb'), undefined);
  });
});

eachDatabase((fresh) => {
  describe('consent', () => {
    let host: OAuthHost;
    let browser: Browser;
    let client: Client;
    before(async () => {
      host = await oauthHost({ database: await fresh() });
      browser = await signedIn(host, 'ann@example.com');
      client = await new Client(host).register();
    });
    after(() => host.stop());

    it('names the application, its permissions and the redirect target', async () => {
      const named = await new Client(host).register({
        client_name: XSS,
        redirect_uris: ['https://app.example.com:8443/cb'],
      });
      const page = await browser.get(
        await named.begin(browser, pkce().challenge, {
          redirect_uri: 'https://app.example.com:8443/cb',
          scope: 'openid mcp:read admin:write',
        }),
      );
      const { text, headers } = page;
      assert.ok(!text.includes('<script'));
      assert.match(text, /app\.example\.com:8443/);
      assert.match(text, /Read everything in your workspaces.*, and your account and its API keys</);
      assert.match(text, /Change the accounts and the audit log/);
      assert.match(text, /Know who you are/);
      assert.match(text, /ann@example\.com/);
      assert.match(text, /not verified/);
      const policy = String(headers['content-security-policy']);
      assert.match(
        policy,
        /form-action 'self' https:\/\/app\.example\.com:8443;/,
        'the redirect of the form may go there',
      );
      assert.match(policy, /frame-ancestors 'none'/);
    });

    it('belongs to one browser and one person', async () => {
      const page = await client.begin(browser, pkce().challenge);
      const other = await signedIn(host, 'bob@example.com');
      assert.equal((await other.get(page)).status, 400);
      const bob = await host.directory.byEmail('bob@example.com');
      const ann = await host.directory.byEmail('ann@example.com');
      for (const account of [bob, ann]) {
        const posted = await other.post(page, { account: account?.id ?? '', decision: 'allow' });
        assert.equal(posted.status, 400);
        assert.match(posted.text, /started in another browser/);
      }
      assert.equal(
        (await other.post(`${page}/login`, { email: 'bob@example.com', password: PASSWORD })).status,
        400,
      );
      const resume = page.replace('/interaction/', '/authorize/');
      const resumed = await other.get(resume);
      assert.equal(resumed.status, 400, 'nor can it be finished elsewhere');
      assert.equal(resumed.headers['location'], undefined);
      // Another person signs in in the same browser between page and button.
      await browser.post(`${host.url}/oauth/logout`, {});
      await browser.post(`${host.url}/oauth/login`, { email: 'bob@example.com', password: PASSWORD });
      const stale = await browser.post(page, { account: ann?.id ?? '', decision: 'allow' });
      assert.equal(stale.status, 200, 'asked again');
      assert.match(stale.text, /bob@example\.com/);
      assert.equal(((await host.database.sql('oauth_grants').select()) as unknown[]).length, 0);
      await browser.post(`${host.url}/oauth/login`, { email: 'ann@example.com', password: PASSWORD });
    });

    it('cannot be skipped: without it no code is issued', async () => {
      const stranger = new Browser(host.port);
      const page = await client.begin(stranger, pkce().challenge);
      const resume = page.replace('/interaction/', '/authorize/');
      const early = await stranger.get(resume);
      assert.ok(!String(early.headers['location'] ?? '').includes('code='), early.text);
      const again = await client.begin(stranger, pkce().challenge);
      await stranger.post(`${again}/login`, { email: 'ann@example.com', password: PASSWORD });
      const loggedIn = await stranger.get(again.replace('/interaction/', '/authorize/'));
      assert.match(locationOf(loggedIn), /\/oauth\/interaction\//, 'signing in is not consent');
      const tampered = await stranger.post(locationOf(loggedIn), { account: '', decision: 'allow' });
      assert.notEqual(tampered.status, 303);
    });

    it('is recorded in the audit log', async () => {
      await client.tokens(browser);
      const rows = JSON.stringify(await host.database.sql('audit_log').select());
      assert.match(rows, /oauth_allow/);
    });

    it('says that the application stays connected where it gets a refresh token, and only there', async () => {
      const shown = async (application: Client, scope?: string) =>
        (await browser.get(await application.begin(browser, pkce().challenge, { scope }))).text;
      const stays = /Stay connected until you disconnect it/;
      // Most clients do not ask for offline_access and get one all the same.
      assert.match(await shown(client), stays);
      assert.ok((await client.tokens(browser)).refresh_token);
      const brief = await new Client(host).register({ grant_types: ['authorization_code'] });
      assert.doesNotMatch(await shown(brief, 'offline_access mcp:read'), stays);
      const tokens = await brief.tokens(browser, { scope: 'offline_access mcp:read' });
      assert.equal(tokens.refresh_token, undefined);
    });

    it('tells whoever goes back to it that it is over', async () => {
      const page = await client.begin(browser, pkce().challenge);
      await client.consent(browser, page);
      const { status, text } = await browser.get(page);
      assert.equal(status, 400);
      assert.match(text, /This sign-in is over/);
      assert.match(text, /completed a moment ago/);
    });

    it('is not told as over where it cannot be read', async () => {
      const page = await client.begin(browser, pkce().challenge);
      const { sql } = host.database;
      await sql.raw('ALTER TABLE oauth_records RENAME TO away');
      try {
        assert.equal((await browser.get(page)).status, 500);
      } finally {
        await sql.raw('ALTER TABLE away RENAME TO oauth_records');
      }
      assert.equal((await browser.get(page)).status, 200);
    });
  });
});

// SQLite has one writer: its calls cannot meet.
onDatabase('postgresql', (fresh) => {
  describe('consent in the moment of a new password', () => {
    let host: OAuthHost;
    before(async () => {
      host = await oauthHost({ database: await fresh() });
    });
    after(() => host.stop());

    it('leaves no connection behind that outlives the session', async () => {
      const browser = await signedIn(host, 'ann@example.com');
      const { id } = (await host.directory.byEmail('ann@example.com')) ?? assert.fail();
      const client = await new Client(host).register();
      await client.tokens(browser);
      const page = await client.begin(browser, pkce().challenge);
      const change = { currentPassword: PASSWORD, newPassword: 'another password', peer: '192.0.2.9' };
      const [changed, posted] = await behindLock<unknown>(
        host.database,
        (sql) => sql('oauth_grants').where({ user_id: id }).forUpdate(), // the last that it deletes
        [
          () => host.accounts.setPassword({ userId: id, ...change }),
          () => browser.post(page, { account: id, decision: 'allow' }),
        ],
      );
      assert.equal(changed?.status, 'fulfilled', JSON.stringify(changed));
      assert.ok(posted?.status === 'fulfilled');
      assert.match((posted.value as Answer).text, /sign in first/);
      assert.deepEqual(await host.database.sql('oauth_grants').select(), []);
    });
  });
});
