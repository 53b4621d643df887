import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { Browser } from './oauth-browser.js';
import { PASSWORD, SETUP_TOKEN, oauthHost, signedIn, type OAuthHost } from './oauth-support.js';

interface Invited {
  readonly id: string;
  readonly token: string;
}

eachDatabase((fresh) => {
  for (const registration of ['invite', 'open', 'closed'] as const) {
    describe(`the page to register, where registration is ${registration}`, () => {
      let host: OAuthHost;
      let web: string;
      let member: Browser;
      let early: Awaited<ReturnType<Browser['get']>>;
      before(async () => {
        host = await oauthHost({ database: await fresh(), settings: { registration } });
        web = host.url ?? '';
        early = await visit('?invitation=svc_in_x');
        member = await signedIn(host, 'first@example.com');
      });
      after(() => host.stop());
      const visit = (query: string, browser = new Browser(host.port)) =>
        browser.get(`${web}/oauth/register${query}`);
      const invite = (email: string) => host.use<Invited>('auth_invite', { email });

      it('asks nobody with an invitation for the set-up token, before the first account', () => {
        assert.equal(early.status, 403);
        assert.match(early.text, /not set up yet/);
        assert.doesNotMatch(early.text, /<form/);
      });

      if (registration === 'closed') {
        it('says that it is closed, with an invitation too', async () => {
          for (const query of ['', '?invitation=svc_in_x']) {
            const page = await visit(query);
            assert.equal(page.status, 403);
            assert.match(page.text, /Registration is closed/);
            assert.doesNotMatch(page.text, /<form|needs an invitation/);
          }
        });
        return;
      }

      it('tells before the form is filled in that an invitation is over', async () => {
        const used = await invite('used@example.com');
        const link = `?invitation=${used.token}`;
        const open = await visit(link);
        assert.equal(open.status, 200);
        assert.match(open.text, /<form/);
        // A person with an account answers it there.
        assert.match(open.text, /href="\/oauth\/login\?return_to=%2Foauth%2Faccount%2Finvitations"/);
        const fields = { email: 'used@example.com', new_password: PASSWORD, again: PASSWORD };
        const other = await new Browser(host.port).post(`${web}/oauth/register`, {
          ...fields,
          email: 'user@example.com',
          invitation: used.token,
        });
        assert.equal(other.status, 400);
        assert.match(other.text, /id="email-error"[^>]*>The invitation is for another address/);
        assert.ok(!other.text.includes('used@example.com'), 'names nobody');
        const made = await new Browser(host.port).post(`${web}/oauth/register`, {
          ...fields,
          invitation: used.token,
        });
        assert.equal(made.status, 303, made.text);
        const revoked = await invite('revoked@example.com');
        await host.database.sql('invitations').where({ id: revoked.id }).delete(); // as auth_revoke_invitation does
        const expired = await invite('expired@example.com');
        const past = { expires_at: new Date(0).toISOString() };
        await host.database.sql('invitations').where({ id: expired.id }).update(past);
        for (const token of [used.token, revoked.token, expired.token, 'svc_in_x']) {
          const page = await visit(`?invitation=${token}`);
          assert.equal(page.status, 410, page.text);
          assert.match(page.text, /used, withdrawn or expired/);
          assert.doesNotMatch(page.text, /<form|example\.com/, 'names nobody');
          const way = registration === 'open' ? '/oauth/register' : '/oauth/login';
          assert.ok(page.text.includes(`href="${way}"`), page.text);
        }
      });

      it('leads a person who is signed in to their account, not to the login', async () => {
        for (const query of ['?invitation=svc_in_x', `?setup_token=${SETUP_TOKEN}`]) {
          const { status, text } = await visit(query, member);
          assert.equal(status, 410, text);
          assert.match(text, /signed in as first@example\.com/);
          assert.match(text, /href="\/oauth\/account(\/invitations)?"/);
          assert.doesNotMatch(text, /href="\/oauth\/login"/);
        }
        const { text } = await visit('', member);
        if (registration === 'invite') assert.doesNotMatch(text, /href="\/oauth\/login"/);
      });

      it('tells that a set-up link was used, and makes no ordinary account of it', async () => {
        const page = await visit(`?setup_token=${SETUP_TOKEN}`);
        assert.equal(page.status, 410);
        assert.match(page.text, /has its first account/);
        assert.match(page.text, /href="\/oauth\/login"/);
        assert.doesNotMatch(page.text, /<form/);
      });
    });
  }
});
