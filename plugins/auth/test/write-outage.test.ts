import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { Client, oauthHost, pkce, signedIn } from './oauth-support.js';
import { authHost, withKey, type AuthHost } from './support.js';

onDatabase('sqlite', (fresh) => {
  describe('a database that takes no writes', () => {
    let database: TestDatabase;
    let host: AuthHost;
    before(async () => {
      database = await fresh();
      host = await authHost(database);
    });

    it('serves a browser whose login is due to be extended, and lists keys, logins and applications', async () => {
      const { user } = await host.register('browser@example.com');
      const cookie = `service_session_0=${await host.sessions.beginBrowser(user.id)}`;
      const { sql } = host.database;
      const session = () => sql('sessions').whereNotNull('cookie_digest');
      const end = async () => {
        const row: { expires_at: string } = await session().first('expires_at');
        return row.expires_at;
      };
      const soon = new Date(Date.now() + 60_000).toISOString();
      await session().update({ expires_at: soon });
      await sql.raw('PRAGMA query_only = 1');
      try {
        for (const list of ['sessions', 'api_keys', 'connections'])
          await host.as({ cookie, 'sec-fetch-site': 'same-origin' }, `auth_list_${list}`);
        assert.equal(await end(), soon);
      } finally {
        await sql.raw('PRAGMA query_only = 0');
      }
      assert.ok(await host.authenticate({ cookie }));
      assert.ok((await end()) > soon, 'the next request after the outage extends it');
    });

    it('does not keep a service from stopping, which has the use of a key to save', async () => {
      const key = await host.makeKey(await host.register('a@example.com'));
      await host.as(withKey(key), 'auth_me');
      const files = (await readdir(database.dataDir)).filter((name) => name.includes('.db'));
      assert.ok(files.length > 0);
      for (const name of files) await rm(join(database.dataDir, name));
      await host.stop();
    });

    it('answers a consent with a page that says so', async () => {
      const serving = await oauthHost({ database: await fresh() });
      const { sql } = serving.database;
      try {
        const browser = await signedIn(serving, 'ann@example.com');
        const page = await (await new Client(serving).register()).begin(browser, pkce().challenge);
        const { id: account = '' } = (await serving.directory.byEmail('ann@example.com')) ?? {};
        await sql.raw('PRAGMA query_only = 1');
        for (const decision of ['allow', 'deny']) {
          const { status, text } = await browser.post(page, { account, decision });
          assert.equal(status, 503, text);
          assert.match(text, /accepts no writes/);
        }
      } finally {
        await sql.raw('PRAGMA query_only = 0');
        await serving.stop();
      }
    });
  });
});
