import assert from 'node:assert/strict';
import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { Browser, locationOf, send } from './oauth-browser.js';
import { PASSWORD, SETUP_TOKEN, oauthHost, signedIn, type OAuthHost } from './oauth-support.js';

const XSS = '"><script>alert(1)</script>';

/** Forms of the pages, on one engine: what they show and refuse. PostgreSQL runs with the long tests. */
export function pageFormsSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('pages', () => {
      let host: OAuthHost;
      let web: string;
      before(async () => {
        host = await oauthHost({ database: await fresh(), settings: { login_tries: 5 } });
        web = host.url ?? '';
      });
      after(() => host.stop());
      const visitor = () => new Browser(host.port);

      it('have headers against framing, scripts and leaks, and one stylesheet', async () => {
        for (const path of [
          '/oauth/login',
          '/oauth/register',
          '/oauth/password?token=x',
          '/oauth/logout',
          '/oauth/interaction/x',
        ]) {
          const page = await visitor().get(web + path);
          const { headers, text } = page;
          assert.match(
            String(headers['content-security-policy']),
            /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
          );
          assert.equal(headers['x-frame-options'], 'DENY');
          assert.equal(headers['referrer-policy'], 'same-origin');
          assert.equal(headers['x-content-type-options'], 'nosniff');
          assert.equal(headers['cache-control'], 'no-store');
          assert.match(String(headers['content-type']), /^text\/html/);
          assert.doesNotMatch(text, /<script|<style| style=| on[a-z]+=/);
          assert.match(text, /<html lang="en">/);
        }
        const login = await visitor().get(`${web}/oauth/login`);
        const href = /href="(\/oauth\/assets\/[0-9a-f]{16}\.css)"/.exec(login.text)?.[1];
        assert.ok(href);
        const sheet = await send(host.port, web + href);
        assert.equal(sheet.status, 200);
        assert.match(String(sheet.headers['content-type']), /^text\/css/);
        assert.match(String(sheet.headers['cache-control']), /immutable/);
        assert.match(sheet.text, /color-scheme: light dark;/);
      });

      it('register, sign in and sign out', async () => {
        const browser = visitor();
        const fields = {
          email: 'Ann@Example.com',
          name: 'Ann É',
          new_password: PASSWORD,
          again: PASSWORD,
          return_to: '',
        };
        const missing = await browser.post(`${web}/oauth/register`, fields);
        assert.equal(missing.status, 403);
        assert.match(missing.text, /set-up token, which service-mcp serve prints/);
        const shown = await browser.get(`${web}/oauth/register?setup_token=${encodeURIComponent(XSS)}`);
        assert.match(shown.text, /name="setup_token"/);
        assert.doesNotMatch(shown.text, /<script/);
        Object.assign(fields, { setup_token: SETUP_TOKEN });
        const made = await browser.post(`${web}/oauth/register`, fields);
        assert.equal(made.status, 303, made.text);
        assert.equal(locationOf(made), '/oauth/account');
        assert.match(String(made.headers['set-cookie']), /HttpOnly; SameSite=Lax/);
        const [name] = String(made.headers['set-cookie']).split('=');
        assert.equal(name, `service_session_${host.port}`, 'browsers send it to every port of the machine');
        const account = await browser.get(`${web}/oauth/account`);
        assert.match(account.text, /Ann É/);
        assert.match(account.text, /ann@example\.com/);
        assert.match(account.text, /Administrator/);
        assert.equal(
          locationOf(await browser.get(`${web}/oauth/login?return_to=/oauth/account`)),
          '/oauth/account',
          'who is signed in skips it',
        );
        const kept = browser.cookies(web);
        assert.equal(locationOf(await browser.post(`${web}/oauth/logout`, {})), '/oauth/login');
        assert.equal(browser.cookies(web), '');
        const replayed = await send(host.port, `${web}/oauth/account`, { headers: { cookie: kept } });
        assert.equal(replayed.status, 303, 'the session itself has ended');
        const back = await browser.post(`${web}/oauth/login`, {
          email: 'ann@example.com',
          password: PASSWORD,
          return_to: '/oauth/account?x=1',
        });
        assert.equal(locationOf(back), '/oauth/account?x=1');
        const first = browser.cookies(web);
        await browser.post(`${web}/oauth/login`, { email: 'ann@example.com', password: PASSWORD });
        assert.notEqual(browser.cookies(web), first, 'a login makes a new session');
        assert.equal(
          (await send(host.port, `${web}/oauth/account`, { headers: { cookie: first } })).status,
          303,
          'and ends the one before',
        );
      });

      it('work by each name that this machine has for itself', async () => {
        const named = web.replace('127.0.0.1', 'localhost');
        const browser = visitor();
        const signIn = () =>
          browser.post(`${named}/oauth/login`, { email: 'ann@example.com', password: PASSWORD });
        assert.equal(locationOf(await signIn()), '/oauth/account');
        assert.equal((await browser.get(`${named}/oauth/account`)).status, 200);
        assert.equal(locationOf(await browser.post(`${named}/oauth/logout`, {})), '/oauth/login');
      });

      it('lead a person who is signed in and follows the link of an invitation to where it waits', async () => {
        const link = `${web}/oauth/register?invitation=svc_in_x`;
        const browser = await signedIn(host, 'linked@example.com');
        const { text } = await browser.get(link);
        assert.match(text, /signed in as linked@example\.com/);
        assert.match(text, /href="\/oauth\/account\/invitations"/);
        assert.doesNotMatch((await visitor().get(link)).text, /signed in as/);
        assert.doesNotMatch((await browser.get(`${web}/oauth/register`)).text, /signed in as/);
      });

      it('let a person accept or decline invitations to workspaces, from our own page alone', async () => {
        const at = `${web}/oauth/account/invitations`;
        const browser = await signedIn(host, 'invited@example.com');
        const invite = async (name: string) => {
          const { id } = await host.use<{ id: string }>('workspaces_create', { name });
          const asked = { workspace_id: id, email: 'invited@example.com', role: 'member' };
          return { workspaceId: id, ...(await host.use<{ id: string }>('members_add', asked)) };
        };
        const [hostile, other] = [await invite(XSS), await invite('Lamps')];
        assert.match((await browser.get(`${web}/oauth/account`)).text, /2 invitations to workspaces wait/);
        const page = await browser.get(at);
        assert.equal(page.status, 200);
        assert.doesNotMatch(page.text, /<script/);
        assert.match(page.text, /Lamps<br/);
        const accept = { id: other.id, decision: 'accept' };
        const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
        assert.equal((await browser.post(at, accept, foreign)).status, 403);
        const member = () => host.database.sql('memberships').where({ id: other.id }).first('user_id');
        assert.equal(await member(), undefined);
        assert.equal((await browser.post(at, accept)).status, 303);
        assert.ok(await member());
        assert.equal((await browser.post(at, { id: hostile.id, decision: 'decline' })).status, 303);
        for (const id of [hostile.id, '', 'x'.repeat(5000), "' OR 1=1"])
          assert.equal((await browser.post(at, { id, decision: 'accept' })).status, 404);
        const done = host.database.sql('audit_log').where({ action: 'members_accept', outcome: 'OK' });
        assert.deepEqual(await done.select('target'), [{ target: `membership_id=${other.id}` }]);
        assert.match((await browser.get(at)).text, /None\./);
        const stranger = await visitor().get(at);
        assert.equal(stranger.status, 303);
        assert.match(locationOf(stranger), /return_to=%2Foauth%2Faccount%2Finvitations/);
      });

      it('show errors beside their fields, keep the entered values, and never a password', async () => {
        const post = (fields: Record<string, string>) =>
          visitor().post(`${web}/oauth/register`, {
            email: 'bob@example.com',
            name: 'Bob',
            new_password: PASSWORD,
            again: PASSWORD,
            ...fields,
          });
        const cases: Array<[Record<string, string>, string, RegExp, number]> = [
          [{ email: 'nobody' }, 'email', /not an e-mail address/, 400],
          [{ email: `${'x'.repeat(243)}@example.com` }, 'email', /not an e-mail address/, 400],
          [{ new_password: 'short', again: 'short' }, 'new_password', /10 to 200/, 400],
          [{ new_password: 'x'.repeat(201), again: 'x'.repeat(201) }, 'new_password', /10 to 200/, 400],
          [{ again: 'another password' }, 'again', /passwords differ/, 400],
          [{ email: 'ann@example.com' }, 'email', /\w/, 409],
        ];
        for (const [fields, name, words, status] of cases) {
          const page = await post(fields);
          assert.equal(page.status, status, page.text);
          const told = new RegExp(`id="${name}-error"[^>]*>([^<]+)<`).exec(page.text)?.[1] ?? '';
          assert.match(told, words);
          assert.match(page.text, new RegExp(`aria-describedby="${name}-error"`));
          assert.match(page.text, /value="Bob"/);
          assert.ok(!page.text.includes(PASSWORD) && !page.text.includes('another password'));
        }
      });

      it('escape all external text', async () => {
        const browser = visitor();
        const pages = [
          await browser.get(`${web}/oauth/login?return_to=/${encodeURIComponent(XSS)}`),
          await browser.post(`${web}/oauth/login`, { email: XSS, password: XSS, return_to: `/${XSS}` }),
          await browser.get(
            `${web}/oauth/register?invitation=${encodeURIComponent(XSS)}&return_to=${encodeURIComponent(XSS)}`,
          ),
          await browser.post(`${web}/oauth/register`, {
            email: XSS,
            name: XSS,
            new_password: XSS,
            again: 'x',
            invitation: XSS,
          }),
          await browser.get(`${web}/oauth/password?token=${encodeURIComponent(XSS)}`),
          await browser.get(`${web}/oauth/interaction/${encodeURIComponent(XSS)}`),
        ];
        for (const { text } of pages) assert.ok(!text.includes('<script'), text);
      });

      it('reject forms of other sites, whatever headers they send', async () => {
        const browser = await signedIn(host, 'cid@example.com');
        const paths = [
          '/oauth/login',
          '/oauth/register',
          '/oauth/password',
          '/oauth/logout',
          '/oauth/account/password',
          '/oauth/account/disconnect',
          '/oauth/interaction/x',
          '/oauth/interaction/x/login',
        ];
        const origins: Array<Record<string, string>> = [
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
          { origin: 'null', 'sec-fetch-site': 'cross-site' },
          { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
          { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
          { origin: web, 'sec-fetch-site': 'cross-site' },
        ];
        for (const path of paths) {
          for (const headers of origins)
            assert.equal(
              (await browser.post(web + path, {}, headers)).status,
              403,
              `${path} ${headers['origin']}`,
            );
          for (const site of [
            {},
            { 'sec-fetch-site': 'none' },
            { 'sec-fetch-site': 'same-site' },
            { 'sec-fetch-site': 'cross-site' },
          ]) {
            const bare = await send(host.port, web + path, {
              method: 'POST',
              body: 'x=y',
              headers: {
                'content-type': 'application/x-www-form-urlencoded',
                cookie: browser.cookies(web),
                ...site,
              },
            });
            assert.equal(bare.status, 403, `${path} ${JSON.stringify(site)}`);
          }
        }
        assert.equal((await browser.get(`${web}/oauth/account`)).status, 200, 'nothing happened');
        assert.equal(
          (await browser.post(`${web}/oauth/logout`, {}, { 'content-type': 'application/json' })).status,
          415,
        );
        assert.equal((await browser.post(`${web}/oauth/login`, { email: 'x'.repeat(20_000) })).status, 413);
      });

      it('show one message for a wrong password and an unknown address, and limit attempts', async () => {
        const words = async (email: string, password: string) =>
          /id="password-error"[^>]*>([^<]+)</.exec(
            (await visitor().post(`${web}/oauth/login`, { email, password })).text,
          )?.[1];
        const known = await words('cid@example.com', 'a wrong password');
        assert.ok(known);
        assert.equal(await words('nobody@example.com', 'a wrong password'), known);
        let page = await visitor().post(`${web}/oauth/login`, { email: 'cid@example.com', password: 'x' });
        for (let i = 0; i < 5; i++)
          page = await visitor().post(`${web}/oauth/login`, { email: 'cid@example.com', password: 'x' });
        page = await visitor().post(`${web}/oauth/login`, { email: 'cid@example.com', password: PASSWORD });
        assert.equal(page.status, 429);
        assert.match(page.text, /role="alert"/);
      });
    });

    describe('pages with registration by invitation', () => {
      it('show the form to an invited person, once', async () => {
        const host = await oauthHost({ database: await fresh(), settings: { registration: 'invite' } });
        const web = host.url ?? '';
        try {
          await signedIn(host, 'first@example.com');
          const browser = new Browser(host.port);
          assert.equal((await browser.get(`${web}/oauth/register`)).status, 403);
          assert.doesNotMatch((await browser.get(`${web}/oauth/login`)).text, /Create one/);
          const { token } = await host.use<{ token: string }>('auth_invite', { email: 'new@example.com' });
          assert.equal((await browser.get(`${web}/oauth/register?invitation=${token}`)).status, 200);
          const fields = { email: 'new@example.com', new_password: PASSWORD, again: PASSWORD };
          assert.equal((await browser.post(`${web}/oauth/register`, fields)).status, 403);
          const bad = await browser.post(`${web}/oauth/register`, { ...fields, invitation: 'svc_in_x' });
          assert.equal(bad.status, 400);
          assert.match(bad.text, /role="alert"/);
          assert.equal(await host.directory.byEmail('new@example.com'), undefined);
        } finally {
          await host.stop();
        }
      });
    });
  });
}
