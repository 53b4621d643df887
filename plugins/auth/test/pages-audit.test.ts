import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { createReset } from '@service-mcp/plugin-auth/internals';
import { Browser } from './oauth-browser.js';
import { Client, PASSWORD, SETUP_TOKEN, oauthHost, type OAuthHost } from './oauth-support.js';

interface Row {
  readonly action: string;
  readonly outcome: string;
  readonly user_id: string;
  readonly credential_kind: string;
  readonly peer: string | null;
  readonly target: string | null;
}

eachDatabase((fresh) => {
  describe('actions of pages', () => {
    let host: OAuthHost;
    let web: string;
    before(async () => {
      host = await oauthHost({ database: await fresh(), settings: { registration: 'invite' } });
      web = host.url ?? '';
    });
    after(() => host.stop());

    it('are in the audit log with caller, peer and outcome', async () => {
      const browser = new Browser(host.port);
      const email = 'ann@example.com';
      const post = (path: string, fields: Record<string, string>) =>
        browser.post(`${web}/oauth/${path}`, fields);
      const passwords = (text: string) => ({ new_password: text, again: text });
      await post('register', { email, name: 'Ann', setup_token: SETUP_TOKEN, ...passwords(PASSWORD) });
      await post('logout', {});
      await post('logout', {}); // nobody is signed in
      await post('login', { email, password: 'wrong' });
      await post('login', { email: 'nobody@example.com', password: 'wrong' });
      await post('login', { email, password: PASSWORD });
      await post('register', { email: 'bob@example.com', name: 'Bob', ...passwords(PASSWORD) });
      await post('account/password', { current_password: 'wrong', ...passwords('a new password') });
      await post('account/password', { current_password: PASSWORD, ...passwords('a new password') });
      const client = await new Client(host).register();
      await client.tokens(browser);
      await post('account/disconnect', { client_id: client.id });
      const { id } = (await host.directory.byEmail(email)) ?? assert.fail();
      const token = await host.database.transaction((sql) => createReset(sql, host.clock, id));
      await post('password', { token, ...passwords('a third password') });
      await post('password', { token, ...passwords('a third password') });

      const rows = (await host.database.sql('audit_log').orderBy('id').select('*')) as Row[];
      assert.deepEqual(
        rows.map(
          ({ action, outcome, user_id }) => `${action} ${outcome} ${user_id === id ? 'ann' : user_id}`,
        ),
        [
          'auth_register OK ann',
          'auth_logout OK ann',
          'auth_login UNAUTHENTICATED ',
          'auth_login UNAUTHENTICATED ',
          'auth_login OK ann',
          'auth_register PERMISSION_DENIED ',
          'auth_password UNAUTHENTICATED ann',
          'auth_password OK ann',
          'oauth_allow OK ann',
          'oauth_disconnect OK ann',
          'auth_password OK ann',
          'auth_password UNAUTHENTICATED ',
        ],
      );
      const named = rows.filter(({ target }) => target !== null);
      assert.deepEqual(
        named.map(({ action, target }) => [action, target]),
        [
          ['oauth_allow', `client_id=${client.id}`],
          ['oauth_disconnect', `client_id=${client.id}`],
        ],
      );
      assert.ok(rows.every(({ peer }) => peer === '127.0.0.1'));
      assert.doesNotMatch(JSON.stringify(rows), / password|example\.com/);
    });

    it('explain an invalid invitation', async () => {
      const page = await new Browser(host.port).post(`${web}/oauth/register`, {
        email: 'cid@example.com',
        name: 'Cid',
        new_password: PASSWORD,
        again: PASSWORD,
        invitation: 'svc_in_unknown',
      });
      assert.equal(page.status, 400, page.text);
      const told = /role="alert">([^<]+)</.exec(page.text)?.[1];
      assert.equal(
        told,
        'This invitation is unknown, used, expired or for another address: ask for a new one.',
      );
    });

    it('explain that a new password keeps API keys, and how to revoke them', async () => {
      const browser = new Browser(host.port);
      await browser.post(`${web}/oauth/login`, { email: 'ann@example.com', password: 'a third password' });
      const { text } = await browser.get(`${web}/oauth/account`);
      assert.match(text, /API keys still work[^]*service-mcp keys list[^]*service-mcp keys revoke/);
    });

    it('start no session with a password that was changed since its verification', async () => {
      const [email, peer] = ['ann@example.com', '192.0.2.9'];
      const checked = await host.accounts.login({ email, password: 'a third password', peer });
      const change = { currentPassword: 'a third password', newPassword: 'a fourth password' };
      const changed = await host.accounts.setPassword({ userId: checked.id, peer, ...change });
      await assert.rejects(host.sessions.beginBrowser(checked, 'Test'), { code: 'UNAUTHENTICATED' });
      await assert.rejects(host.sessions.begin(checked), { code: 'UNAUTHENTICATED' });
      assert.ok((await host.sessions.beginBrowser(changed, 'Test')).cookie);
    });

    it('are rejected when a peer posts too often', async () => {
      const browser = new Browser(host.port);
      const paths = ['register', 'password', 'logout', 'account/password', 'interaction/x'];
      let refused: Awaited<ReturnType<Browser['post']>> | undefined;
      let count = 0;
      for (; count < 620 && !refused; count++) {
        const answer = await browser.post(`${web}/oauth/${paths[count % paths.length]}`, {});
        if (answer.status === 429) refused = answer;
      }
      assert.ok(refused && count > 200, `rejected after ${count}`); // a window may end in between
      assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/);
      assert.match(String(refused.headers['content-type']), /^text\/html/);
      assert.match(refused.text, /Too many attempts[^]*Wait \d+ seconds/);
      assert.equal((await browser.get(`${web}/oauth/login`)).status, 200, 'pages are still shown');
    });
  });
});
