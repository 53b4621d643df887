import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { startHosted, type Account, type Hosted } from '../../security/start-hosted.js';
import { FORM_BODY, ask, codeOf, post } from '../../security/raw-http.js';
import { Application, Browser, next, pkce } from '../../security/oauth-browser.js';

/** Texts that one database stores and the other refuses; percent-encoded where they are not valid UTF-8. */
const TEXTS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%FF%FE',
  '%C3%28',
  '%F0%9F%98%80',
  '%E2%80%AE',
  "'%22;--",
  'x'.repeat(9000),
];
const PAGES = {
  '/oauth/login': ['email', 'password', 'return_to'],
  '/oauth/register': ['email', 'name', 'new_password', 'again', 'invitation', 'return_to'],
  '/oauth/password': ['token', 'new_password', 'again'],
  '/oauth/account/disconnect': ['client_id'],
  '/oauth/account/password': ['current_password', 'new_password', 'again'],
} as const;

eachDatabase((_fresh, engine) => {
  describe('threat: text that breaks a database', () => {
    let service: Hosted;
    let ann: Account;
    let browser: Browser;
    before(async () => {
      service = await startHosted({ auth: { login_tries: 1000 } }, engine);
      ann = await service.account('ann');
      browser = new Browser(service.url);
      await browser.signIn(ann.email);
    });
    after(() => service.stop());

    /** The parameters, with one as it stands. */
    const encoded = (fields: Record<string, string>, name: string, text: string) => {
      const rest = new URLSearchParams(fields);
      rest.delete(name);
      return `${rest.toString()}&${name}=${text}`;
    };

    it('every parameter of the authorization and token endpoints is refused or ignored, and fails nothing', async () => {
      const application = await new Application(service.url).register();
      const [, query = ''] = application.authorize(pkce().challenge).split('?');
      const asked = Object.fromEntries(new URLSearchParams(query));
      for (const text of TEXTS) {
        for (const name of ['client_id', 'redirect_uri', 'scope', 'resource', 'state', 'login_hint']) {
          const { status } = await ask(service.url, `/oauth/authorize?${encoded(asked, name, text)}`);
          assert.ok(status < 500, `authorize ${name}=${text.slice(0, 20)}: ${status}`);
        }
        for (const path of ['/api/v1/oauth/token', '/api/v1/oauth/revoke'])
          for (const name of [
            'client_id',
            'code',
            'refresh_token',
            'redirect_uri',
            'token',
            'client_secret',
          ]) {
            const fields = {
              grant_type: 'refresh_token',
              client_id: application.id,
              refresh_token: 'x',
              token: 'x',
            };
            const body = encoded(fields, name, text);
            const { status } = await ask(service.url, path, { method: 'POST', headers: FORM_BODY, body });
            assert.ok(status < 500, `${path} ${name}=${text.slice(0, 20)}: ${status}`);
          }
      }
    });

    it('every field of the pages, for somebody who is signed in too', async () => {
      const application = await new Application(service.url).register();
      const consent = next(await browser.get(application.authorize(pkce().challenge)));
      const forms = { ...PAGES, [consent]: ['account', 'decision'] };
      for (const [path, names] of Object.entries(forms))
        for (const name of names)
          for (const text of TEXTS) {
            const fields = { email: 'x@example.com', new_password: 'long enough 1', again: 'long enough 1' };
            const { status } = await ask(service.url, path, {
              method: 'POST',
              headers: { ...FORM_BODY, origin: service.url, cookie: browser.cookie },
              body: encoded(fields, name, text),
            });
            assert.ok(status < 500, `${path} ${name}=${text.slice(0, 20)}: ${status}`);
          }
    });

    it('registrations of clients and every text of the login tools', async () => {
      for (const text of ['\0', '\u0001', '\ud800', '\uffff', '😀'.repeat(2000)]) {
        for (const name of ['client_name', 'client_uri', 'contacts', 'software_id', 'client_id']) {
          const metadata = { redirect_uris: ['https://client.example/back'], [name]: text };
          const answer = await post(service.url, '/api/v1/oauth/register', metadata);
          assert.ok(answer.status < 500, `${name} ${answer.text}`);
        }
        for (const [path, body] of [
          ['/v1/auth/login', { email: `${text}@example.com`, password: text }],
          [
            '/v1/auth/register',
            { email: `a${text}@example.com`, password: `${text} long enough`, name: text },
          ],
          ['/v1/auth/refresh', { refresh_token: `svc_rt_${text}` }],
          ['/v1/auth/password', { reset_token: text, new_password: 'long enough 1' }],
        ] as const) {
          const answer = await post(service.url, path, body);
          assert.ok(answer.status < 500 && codeOf(answer) !== 'INTERNAL', `${path} ${answer.text}`);
        }
      }
    });
  });
});
