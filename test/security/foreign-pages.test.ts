import assert from 'node:assert/strict';
import { startHosted, type Account, type Hosted } from './start-hosted.js';
import { FORM_BODY, ask, codeOf, post, type Answer } from './raw-http.js';
import { Application, Browser, next, pkce } from './oauth-browser.js';
import { PASSWORD } from './start-team.js';

const LEADS_AWAY = [
  'https://evil.example/',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/%2F/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/oauth/..//evil.example',
  'http://127.0.0.1@evil.example/',
];

describe('threat: foreign pages that use a signed-in browser', () => {
  let service: Hosted;
  let ann: Account;
  let browser: Browser;
  before(async () => {
    service = await startHosted({ auth: { login_tries: 1000 } });
    ann = await service.account('ann');
    browser = new Browser(service.url);
    await browser.signIn(ann.email);
  });
  after(() => service.stop());

  /** Requests that a foreign page can make a browser send with its cookie. */
  const forgeries: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    {},
    { referer: 'https://evil.example/' },
    { origin: 'http://localhost:9' }, // another program of this machine
  ];

  it('CSRF: no route changes anything on the cookie alone for another page', async () => {
    const routes: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/v1/workspaces', { name: 'forged' }],
      ['POST', '/v1/auth/api-keys', { name: 'forged' }],
      ['DELETE', `/v1/auth/api-keys/${ann.keyId}`, undefined],
      ['POST', '/v1/auth/logout', {}],
      ['POST', '/v1/auth/password', { current_password: PASSWORD, new_password: PASSWORD }],
      ['POST', '/api/v1/tools/workspaces_create', { name: 'forged' }],
      [
        'POST',
        '/api/v1/rpc',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'workspaces_create', arguments: { name: 'forged' } },
        },
      ],
    ];
    for (const forged of forgeries) {
      for (const [method, path, body] of routes) {
        const answer = await ask(service.url, path, {
          method,
          headers: { cookie: browser.cookie, 'content-type': 'application/json', ...forged },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        assert.equal(
          codeOf(answer),
          'PERMISSION_DENIED',
          `${path} ${JSON.stringify(forged)}: ${answer.text}`,
        );
      }
    }
    const me = await browser.get('/v1/workspaces');
    assert.equal(me.json<{ data: { total: number } }>().data.total, 0);
  });

  it('CSRF: nor as what a form can send without a preflight', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      for (const path of ['/v1/workspaces', '/api/v1/rpc', '/mcp', '/api/v1/tools/workspaces_create']) {
        const answer = await ask(service.url, path, {
          method: 'POST',
          headers: { cookie: browser.cookie, origin: service.url, 'content-type': type },
          body: '{"name":"forged"}',
        });
        assert.equal(answer.status, 415, `${path} ${type}`);
      }
  });

  it('CSRF: nor does a page of ours, for forms without its Origin', async () => {
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      ['/oauth/logout', {}],
      ['/oauth/login', { email: ann.email, password: PASSWORD }],
      [
        '/oauth/account/password',
        { current_password: PASSWORD, new_password: 'forged password', again: 'forged password' },
      ],
      ['/oauth/account/disconnect', { client_id: 'x' }],
      ['/oauth/register', { email: 'f@example.com', new_password: PASSWORD, again: PASSWORD }],
      ['/oauth/password', { token: 'x', new_password: PASSWORD, again: PASSWORD }],
    ];
    for (const forged of forgeries)
      for (const [path, fields] of forms) {
        const body = new URLSearchParams(fields).toString();
        const headers = { ...FORM_BODY, cookie: browser.cookie, ...forged };
        const answer = await ask(service.url, path, { method: 'POST', headers, body });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(forged)}`);
      }
    assert.equal(
      (await browser.get('/oauth/account')).status,
      200,
      'still signed in, with the same password',
    );
  });

  it('CSRF: a GET changes nothing: none signs out, consents or makes a record', async () => {
    for (const path of ['/oauth/logout', '/oauth/account/disconnect?client_id=x', '/v1/auth/logout'])
      await browser.get(path);
    assert.equal((await browser.get('/oauth/account')).status, 200);
  });

  it('a cookie that was put there before a login is not the session after it', async () => {
    const visitor = new Browser(service.url);
    await visitor.signIn(ann.email);
    const before = visitor.cookie;
    await visitor.signIn(ann.email);
    assert.notEqual(visitor.cookie, before);
    const old = await ask(service.url, '/v1/auth/me', { headers: { cookie: before } });
    assert.equal(old.status, 401, 'the session before the login has ended');
    const fixed = await ask(service.url, '/oauth/login', {
      method: 'POST',
      headers: {
        ...FORM_BODY,
        origin: service.url,
        cookie: `service_session_${new URL(service.url).port}=svc_bs_chosen-by-another`,
      },
      body: new URLSearchParams({ email: ann.email, password: PASSWORD }).toString(),
    });
    assert.doesNotMatch(String(fixed.headers['set-cookie']), /chosen-by-another/);
    assert.match(String(fixed.headers['set-cookie']), /HttpOnly; SameSite=Lax/);
  });

  describe('threat: open redirects', () => {
    const stays = (answer: Answer, what: string) => {
      const { location } = answer.headers;
      assert.ok(location, what);
      assert.equal(new URL(location, service.url).origin, service.url, `${what} leads to ${location}`);
      assert.doesNotMatch(location, /^[/\\]{2}/, what);
    };

    it('return_to of login, registration and logout leads nowhere else', async () => {
      for (const return_to of LEADS_AWAY) {
        const asked = new URLSearchParams({ return_to }).toString();
        stays(await browser.get(`/oauth/login?${asked}`), `signed in, ${return_to}`);
        const visitor = new Browser(service.url);
        const shown = await visitor.get(`/oauth/login?${asked}`);
        assert.doesNotMatch(shown.text, /(?:href|action|value)="(?:https?:)?[/\\]{2}evil/, return_to);
        stays(await visitor.post('/oauth/logout', { return_to }), `logout, ${return_to}`);
      }
      for (const return_to of LEADS_AWAY.slice(0, 5)) {
        const visitor = new Browser(service.url);
        stays(
          await visitor.post('/oauth/login', { email: ann.email, password: PASSWORD, return_to }),
          return_to,
        );
        const email = `${crypto.randomUUID()}@example.com`;
        const fields = { email, new_password: PASSWORD, again: PASSWORD, return_to };
        stays(await visitor.post('/oauth/register', fields), `register, ${return_to}`);
      }
    });

    it('redirect_uri is one that the application registered, to the letter', async () => {
      const redirect_uris = ['https://client.example/back'];
      const application = await new Application(service.url).register({ redirect_uris });
      for (const redirect_uri of [
        'https://evil.example/back',
        'https://client.example.evil.example/back',
        'https://client.example/back/../evil',
        'https://client.example/back?x=1',
        'https://client.example/back#x',
        'https://client.example/BACK',
        'http://client.example/back',
        'https://client.example:444/back',
        'https://x@client.example/back',
        'javascript:alert(1)',
      ]) {
        const answer = await browser.get(application.authorize(pkce().challenge, { redirect_uri }));
        assert.ok(answer.status >= 400 && answer.status < 500, redirect_uri);
        assert.equal(answer.headers.location, undefined, redirect_uri);
      }
      const two = `${application.authorize(pkce().challenge, { redirect_uri: String(redirect_uris[0]) })}&redirect_uri=https://evil.example`;
      const answer = await browser.get(two);
      assert.match(answer.text, /href="https:\/\/client\.example\/back\?error=/);
      assert.doesNotMatch(answer.text, /evil\.example/);
    });

    it('no website or other program that registers as an application gets a browser by an error, without a person who follows a link', async () => {
      const faults = [
        { response_type: 'token' },
        { prompt: 'none' },
        { response_mode: 'fragment', code_challenge_method: 'plain' },
        { resource: 'https://other.example/' },
      ];
      // The last two lead on to a website, and open a program of the system.
      for (const redirect_uri of [
        'https://evil.example/fake-login',
        'microsoft-edge:https://evil.example/fake-login',
        'search-ms:query=evil.example',
      ]) {
        const application = await new Application(service.url).register({ redirect_uris: [redirect_uri] });
        for (const fault of faults)
          for (const visitor of [browser, new Browser(service.url)]) {
            const asked = application.authorize(pkce().challenge, { redirect_uri, ...fault });
            const { status, headers, text } = await visitor.get(asked);
            assert.equal(headers.location, undefined, JSON.stringify([redirect_uri, fault]));
            assert.equal(status, 400);
            const link = /<a href="([^"]+)[?#]error=\w+&amp;[^"]+">[^<]*evil\.example/.exec(text);
            assert.equal(link?.[1], redirect_uri, text);
          }
      }
      const program = await new Application(service.url).register();
      const { headers } = await browser.get(program.authorize(pkce().challenge, { response_type: 'token' }));
      assert.match(headers.location ?? '', /^http:\/\/127\.0\.0\.1:7777\/callback#error=/, 'a program');
    });

    it('post_logout_redirect_uri is ignored', async () => {
      const visitor = new Browser(service.url);
      const fields = { post_logout_redirect_uri: 'https://evil.example/', id_token_hint: 'x' };
      stays(await visitor.post('/oauth/logout', fields), 'logout');
    });

    it('no redirect is registered that leads a code into the open', async () => {
      for (const uri of [
        'http://evil.example/',
        'http://127.0.0.1.evil.example/',
        'http://localhost@evil.example/',
        'https://client.example/#x',
        'relative',
        'javascript:alert(1)',
        'data:text/html,x',
      ]) {
        const answer = await post(service.url, '/api/v1/oauth/register', { redirect_uris: [uri] });
        assert.equal(answer.status, 400, `${uri}: ${answer.text}`);
      }
    });

    it('an interaction leads on only to its own pages', async () => {
      const application = await new Application(service.url).register();
      const page = next(await browser.get(application.authorize(pkce().challenge)));
      const posted = await browser.post(page, {
        decision: 'deny',
        account: ann.id,
        return_to: 'https://evil.example',
      });
      stays(posted, 'consent');
    });
  });
});
