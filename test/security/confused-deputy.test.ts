import assert from 'node:assert/strict';
import { bearer, startHosted, type Account, type Hosted } from './start-hosted.js';
import { post } from './raw-http.js';
import { Application, Browser, REDIRECT, next, pkce } from './oauth-browser.js';

const LISTING = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const accept = { accept: 'application/json, text/event-stream' };

describe('threat: the confused deputy', () => {
  let service: Hosted;
  let ann: Account;
  let application: Application;
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
    application = await new Application(service.url).register();
  });
  after(() => service.stop());

  const signedIn = async () => {
    const browser = new Browser(service.url);
    assert.equal((await browser.signIn(ann.email)).status, 303);
    return browser;
  };
  const begin = async (browser: Browser, of = application) =>
    next(await browser.get(of.authorize(pkce().challenge)));

  it('asks for consent each time, however often the same application was allowed', async () => {
    const browser = await signedIn();
    for (let i = 0; i < 2; i++) await application.tokens(browser);
    const shown = await browser.get(await begin(browser));
    assert.match(shown.text, /name="decision" value="allow"/);
    const silent = await browser.get(application.authorize(pkce().challenge, { prompt: 'none' }));
    const back = new URL(silent.headers.location ?? '', service.url);
    assert.equal(back.searchParams.get('code'), null);
    assert.match(back.searchParams.get('error') ?? '', /required/);
  });

  it('refuses to go on in another browser, signed in or not, at every step', async () => {
    const [mine, other] = [await signedIn(), await signedIn()];
    const page = await begin(mine);
    for (const browser of [other, new Browser(service.url)]) {
      assert.equal((await browser.get(page)).status, 400);
      const posted = await browser.post(page, { account: ann.id, decision: 'allow' });
      assert.equal(posted.status, 400);
      const login = await browser.post(`${page}/login`, { email: ann.email, password: 'x' });
      assert.equal(login.status, 400);
      const resumed = await browser.get(page.replace('/interaction/', '/authorize/'));
      assert.ok(resumed.status >= 400 && resumed.headers.location === undefined, String(resumed.status));
    }
    assert.equal((await mine.get(page)).status, 200, 'the right one goes on');
  });

  it('lets nobody consent for another: the form names the account that it was shown to', async () => {
    const browser = await signedIn();
    const bob = await service.account('bob');
    const page = await begin(browser);
    const posted = await browser.post(page, { account: bob.id, decision: 'allow' });
    assert.equal(posted.headers.location, undefined);
  });

  it('escapes the name of the application, and shows where the browser will be sent', async () => {
    const names = [
      '<script>alert(1)</script>',
      `"><img src=x onerror=alert(1)>`,
      `'; onload='x`,
      '{{constructor}}',
      '<svg/onload=x>'.repeat(50),
      'Right\u202Eto\u200Bleft\u0000\n\r\nX',
    ];
    const browser = await signedIn();
    for (const client_name of names) {
      const redirect_uris = ['https://client.example:8443/back?x=1'];
      const hostile = await new Application(service.url).register({ client_name, redirect_uris });
      const page = next(
        await browser.get(hostile.authorize(pkce().challenge, { redirect_uri: String(redirect_uris[0]) })),
      );
      const { text, status, headers } = await browser.get(page);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /<script|<img src=x|<svg|'; onload/i, client_name);
      assert.doesNotMatch(text, /[\u202E\u200B\0]/, client_name);
      assert.match(text, /client\.example:8443/, 'the host that it leads to');
      assert.match(text, /not verified/);
      assert.match(String(headers['content-security-policy']), /default-src 'none'/);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    }
  });

  it('says so where the redirect goes to a program on this computer', async () => {
    const browser = await signedIn();
    const { text } = await browser.get(await begin(browser));
    assert.match(text, /127\.0\.0\.1:7777 \(a program on this computer\)/);
  });

  describe('threat: token passthrough', () => {
    it('an ID token, a code, a refresh token and a token of another audience are 401 at /mcp', async () => {
      const browser = await signedIn();
      const granted = await application.tokens(browser, { scope: 'openid mcp:read' });
      const { code } = await application.code(browser);
      const unsigned = `${granted.id_token?.split('.').slice(0, 2).join('.')}.`;
      for (const token of [
        granted.id_token,
        code,
        granted.refresh_token,
        unsigned,
        'svc_at_x',
        ann.refresh_token,
      ]) {
        const answer = await post(service.url, '/mcp', LISTING, { ...accept, ...bearer(String(token)) });
        assert.equal(answer.status, 401, String(token));
        assert.match(String(answer.headers['www-authenticate']), /invalid_token.*resource_metadata=/);
      }
      const good = await post(service.url, '/mcp', LISTING, { ...accept, ...bearer(granted.access_token) });
      assert.equal(good.status, 200);
    });

    it('a token for a deployment that had another address is refused', async () => {
      const browser = await signedIn();
      const { access_token } = await application.tokens(browser);
      const { database } = service.host;
      const stored = (await database.sql('oauth_records').where({ model: 'AccessToken' }).select()) as {
        key: string;
        payload: string;
      }[];
      for (const { key, payload } of stored)
        await database
          .sql('oauth_records')
          .where({ key })
          .update({ payload: payload.replaceAll(`${service.url}/mcp`, 'https://other.example/mcp') });
      const answer = await post(service.url, '/mcp', LISTING, { ...accept, ...bearer(access_token) });
      assert.equal(answer.status, 401);
    });

    it('no token is given for the resource of another service', async () => {
      const browser = await signedIn();
      const asked = await browser.get(
        application.authorize(pkce().challenge, { resource: 'https://other.example/mcp' }),
      );
      const back = new URL(asked.headers.location ?? '', service.url);
      assert.equal(back.searchParams.get('error'), 'invalid_target', back.href);
      assert.equal(back.origin, new URL(REDIRECT).origin);
    });
  });
});
