import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { browserName, type Session } from '@service-mcp/plugin-auth/internals';
import { PASSWORD, atOnce, authHost, bearer, codeOf, withKey, type AuthHost, type Login } from './support.js';

const NOBODYS = '01890000-0000-7000-8000-000000000000';

eachDatabase((fresh) => {
  describe('logins of an account', () => {
    let host: AuthHost;
    before(async () => {
      host = await authHost(await fresh());
      await host.register('root@example.com');
    });
    after(() => host.stop());

    type Headers = ReturnType<typeof bearer>;
    const list = async (headers: Headers, args: object = {}) =>
      host.as<{ items: Session[]; total: number }>(headers, 'auth_list_sessions', args);
    const end = (headers: Headers, session_id: string) =>
      host.as(headers, 'auth_revoke_session', { session_id });
    const login = (email: string) => host.open<Login>('auth_login', { email, password: PASSWORD });

    it('are listed with their names and last uses, newest first, and end alone', async () => {
      const first = await host.register('ann@example.com');
      const browser = { cookie: `service_session_0=${await host.sessions.beginBrowser(first.user.id)}` };
      const second = await login('ann@example.com');
      await host.authenticate(browser);
      const { items, total } = await list(bearer(second));
      assert.equal(total, 3);
      assert.deepEqual(
        items.map(({ name, current, last_used_at }) => [name, current, last_used_at !== null]),
        [
          ['Program', true, true],
          ['Test', false, true],
          ['Program', false, false],
        ],
      );
      const [, ofBrowser, oldest] = items;
      assert.ok(ofBrowser && oldest);
      assert.deepEqual((await list(bearer(second), { page: 2, per_page: 2 })).items, [oldest]);
      assert.deepEqual(await end(bearer(second), ofBrowser.id), { id: ofBrowser.id, revoked: true });
      assert.equal(await host.authenticate(browser), undefined);
      assert.ok(await host.authenticate(bearer(first)), 'the others stay');
      await end(bearer(second), oldest.id);
      await rejects(host.authenticate(bearer(first)), 'UNAUTHENTICATED');
      await rejects(
        host.open('auth_refresh', { refresh_token: first.refresh_token }),
        'UNAUTHENTICATED',
        /Log in again/,
      );
      const [current] = (await list(bearer(second))).items;
      await end(bearer(second), current?.id ?? '');
      await rejects(list(bearer(second)), 'UNAUTHENTICATED');
    });

    it('are the own alone, and those that have not ended', async () => {
      const [ben, cid] = [await host.register('ben@example.com'), await host.register('cid@example.com')];
      const [theirs] = (await list(bearer(cid))).items;
      assert.ok(theirs);
      for (const id of [theirs.id, NOBODYS])
        await rejects(end(bearer(ben), id), 'NOT_FOUND', /auth_list_sessions/);
      for (const id of ['', 'x', '*', "' OR 1=1 --", 'ä'.repeat(10_000)])
        await rejects(end(bearer(ben), id), 'INVALID_ARGUMENT', /session_id/);
      assert.equal((await list(bearer(ben))).total, 1);
      const past = new Date(0).toISOString();
      await host.database.sql('sessions').where({ id: theirs.id }).update({ expires_at: past });
      const again = await login('cid@example.com');
      assert.equal((await list(bearer(again))).total, 1);
      await rejects(end(bearer(again), theirs.id), 'NOT_FOUND');
    });

    it('are unknown to a key that is confined to a workspace, and seen by one that may read them', async () => {
      const dan = await host.register('dan@example.com');
      const { id: workspace_id } = await host.as(bearer(dan), 'workspaces_create', { name: 'ours' });
      const [session] = (await list(bearer(dan))).items;
      const confined = withKey(await host.makeKey(dan, { workspace_id, scopes: ['*'] }));
      assert.equal((await list(confined)).total, 0);
      await rejects(end(confined, session?.id ?? ''), 'NOT_FOUND');
      const connections = await host.as<{ total: number }>(confined, 'auth_list_connections');
      assert.equal(connections.total, 0);
      const reader = withKey(await host.makeKey(dan, { scopes: ['auth:read'] }));
      assert.deepEqual(
        (await list(reader)).items.map(({ current }) => current),
        [false],
      );
      await rejects(end(reader, session?.id ?? ''), 'PERMISSION_DENIED', /auth:write/);
    });

    it('end once, however many end them at once', async () => {
      const eve = await host.register('eve@example.com');
      const key = withKey(await host.makeKey(eve, { scopes: ['*'] }));
      const [session] = (await list(key)).items;
      const { won, lost } = await atOnce(5, () => end(key, session?.id ?? ''));
      assert.deepEqual([won.length, new Set(lost.map(codeOf))], [1, new Set(['NOT_FOUND'])]);
    });
  });
});

describe('the name of a browser', () => {
  for (const [userAgent, name] of [
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Firefox on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['<script>alert(1)</script>', 'Browser'],
    ['', 'Browser'],
  ] as const)
    it(`is ${name} for ${userAgent.slice(0, 60)}`, () => assert.equal(browserName(userAgent), name));
});
