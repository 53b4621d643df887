import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { PASSWORD, authHost, bearer, operator, type AuthHost, type Login } from './support.js';

interface Page<T> {
  items: T[];
  total: number;
}

eachDatabase((fresh) => {
  describe('the audit log', () => {
    let host: AuthHost;
    before(async () => {
      host = await authHost(await fresh());
    });
    after(() => host.stop());

    it('records writes and denials, without arguments, for authorized readers', async () => {
      const admin = await host.register('admin@example.com');
      const user = await host.register('user@example.com');
      const { id: workspace_id } = await host.as<{ id: string }>(bearer(user), 'workspaces_create', {
        name: 'Mine',
      });
      await host.as(bearer(user), 'workspaces_update', { workspace_id, description: 'x' });
      await rejects(host.as(bearer(user), 'auth_list_audit'), 'PERMISSION_DENIED', /administrators/);
      await rejects(
        host.open('auth_login', { email: 'user@example.com', password: 'wrong' }),
        'UNAUTHENTICATED',
      );

      const log = (by: Login, filter: object = {}) =>
        host.as<Page<Record<string, string | null>>>(bearer(by), 'auth_list_audit', filter);
      const all = await log(admin);
      const seen = all.items.map(({ action, outcome }) => `${action} ${outcome}`);
      assert.deepEqual(seen, [
        'auth_login UNAUTHENTICATED',
        'auth_list_audit PERMISSION_DENIED',
        'workspaces_update OK',
        'workspaces_create OK',
        'auth_register OK',
        'auth_register OK',
      ]);
      assert.equal(all.items[0]?.['user_id'], null);
      assert.equal(all.items[0]?.['peer'], '192.0.2.1');
      assert.equal(all.items[2]?.['user_id'], user.user.id);
      assert.ok(!JSON.stringify(await host.database.sql('audit_log')).includes(PASSWORD));
      assert.equal((await log(admin, { user_id: user.user.id, outcome: 'OK' })).total, 3);
      assert.equal((await log(admin, { action: 'auth_login' })).total, 1);
      assert.equal((await log(admin, { until: '2020-01-01T00:00:00Z' })).total, 0);
      assert.equal((await log(admin, { since: '2020-01-01T00:00:00+05:00' })).total, all.total);
      const mine = await log(user, { workspace_id });
      assert.deepEqual(
        mine.items.map(({ action }) => action),
        ['workspaces_update'],
      );
      assert.ok(
        all.items.every(({ target }) => target === null),
        'nothing of a call without a credential',
      );
      await host.use('auth_disable_account', { email: 'user@example.com' }, operator);
      const [disabled] = (await log(admin, { action: 'auth_disable_account' })).items;
      assert.equal(disabled?.['target'], 'email=user@example.com');
      await host.use('auth_enable_account', { email: 'user@example.com' }, operator);
      await rejects(log(admin, { workspace_id }), 'NOT_FOUND');
      await rejects(log(admin, { outcome: 'WHATEVER' }), 'INVALID_ARGUMENT', /OK/);
    });

    it('records registration, login, logout, refresh, password changes and failed attempts', async () => {
      const ann = await host.register('ann@example.com');
      const { id } = ann.user;
      const login = await host.open<Login>('auth_login', { email: 'ann@example.com', password: PASSWORD });
      const { refresh_token } = login;
      const renewed = await host.open<Login>('auth_refresh', { refresh_token });
      await rejects(host.open('auth_refresh', { refresh_token: 'svc_rt_none' }), 'UNAUTHENTICATED');
      const change = { current_password: PASSWORD, new_password: 'a second password' };
      await rejects(
        host.as(bearer(renewed), 'auth_password', { ...change, current_password: 'wrong' }),
        'UNAUTHENTICATED',
      );
      await host.as(bearer(renewed), 'auth_password', change);
      const { link } = await host.use<{ link: string }>(
        'auth_reset_account',
        { email: 'ann@example.com' },
        operator,
      );
      const reset_token = new URL(link).searchParams.get('token');
      await host.open('auth_password', { reset_token, new_password: 'a third password' });
      await rejects(
        host.open('auth_password', { reset_token, new_password: 'a third password' }),
        'UNAUTHENTICATED',
      );
      const wrong = { email: 'ann@example.com', password: PASSWORD };
      await rejects(host.open('auth_login', wrong), 'UNAUTHENTICATED');
      const again = { email: 'ann@example.com', password: 'a third password' };
      await host.as(bearer(await host.open<Login>('auth_login', again)), 'auth_logout');

      const rows = (await host.database
        .sql('audit_log')
        .orderBy('id')
        .select('action', 'outcome', 'user_id', 'credential_id')) as Array<Record<string, string | null>>;
      const from = rows.findIndex((row) => row['action'] === 'auth_register' && row['user_id'] === id);
      const kept = rows.slice(from);
      assert.deepEqual(
        kept.map(
          ({ action, outcome, user_id }) => `${action} ${outcome} ${user_id === id ? 'ann' : user_id}`,
        ),
        [
          'auth_register OK ann',
          'auth_login OK ann',
          'auth_refresh OK ann',
          'auth_refresh UNAUTHENTICATED ',
          'auth_password UNAUTHENTICATED ann',
          'auth_password OK ann',
          `auth_reset_account OK ${LOCAL_OWNER.userId}`,
          'auth_password OK ann',
          'auth_password UNAUTHENTICATED ',
          'auth_login UNAUTHENTICATED ',
          'auth_login OK ann',
          'auth_logout OK ann',
        ],
      );
      assert.equal(kept[1]?.['credential_id'], kept[2]?.['credential_id'], 'one session, refreshed');
      assert.equal(kept[10]?.['credential_id'], kept[11]?.['credential_id'], 'which then logs out');
    });
  });

  describe('auth_me', () => {
    it('shows the caller for every kind of credential, and needs one', async () => {
      const host = await authHost(await fresh());
      try {
        const login = await host.register('a@example.com', { name: 'Ann' });
        const me = await host.as(bearer(login), 'auth_me');
        assert.deepEqual(me, {
          ...login.user,
          administrator: true,
          workspaces: [],
          credential: { kind: 'session', scopes: ['*'] },
        });
        const second = await host.register('b@example.com', { name: 'Bob' });
        assert.ok(!('administrator' in (await host.as<object>(bearer(second), 'auth_me'))));
        await rejects(host.open('auth_me'), 'UNAUTHENTICATED');
        const local = await host.use<{ administrator: boolean; credential: object }>('auth_me');
        assert.equal(local.administrator, true);
        assert.deepEqual(local.credential, { kind: 'owner', scopes: ['*'] });
      } finally {
        await host.stop();
      }
    });
  });
});
