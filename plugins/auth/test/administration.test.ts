import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import {
  PASSWORD,
  atOnce,
  authHost,
  bearer,
  codeOf,
  operator,
  withKey,
  type AuthHost,
  type Login,
} from './support.js';

interface Invitation {
  id: string;
  token: string;
  role: string | null;
  workspace_id: string | null;
}
interface Page<T> {
  items: T[];
  total: number;
}

eachDatabase((fresh) => {
  describe('invitations', () => {
    let host: AuthHost;
    let admin: Login;
    let workspace_id: string;
    before(async () => {
      host = await authHost(await fresh(), {}, { server: { host: '0.0.0.0' } }); // makes registration `invite`
      admin = await host.register('admin@example.com');
      workspace_id = (await host.as<{ id: string }>(bearer(admin), 'workspaces_create', { name: 'W' })).id;
    });
    after(() => host.stop());

    const invite = (by: Login, more: object) => host.as<Invitation>(bearer(by), 'auth_invite', more);
    const join = async (email: string, role: string, by = admin) => {
      const { token } = await invite(by, { email, workspace_id, role });
      return host.register(email, { invitation: token });
    };

    it('admit one person, once, and add a membership', async () => {
      await rejects(host.register('ann@example.com'), 'PERMISSION_DENIED', /invitation/);
      const made = await invite(admin, { email: 'Ann@Example.com', workspace_id, role: 'admin' });
      assert.deepEqual([made.workspace_id, made.role], [workspace_id, 'admin']);
      await rejects(
        host.register('eve@example.com', { invitation: made.token }),
        'INVALID_ARGUMENT',
        /another address/,
      );
      await rejects(
        host.register('ann@example.com', { invitation: 'svc_in_x' }),
        'INVALID_ARGUMENT',
        /invitation/,
      );
      const { won, lost } = await atOnce(5, () =>
        host.register('ann@example.com', { invitation: made.token }),
      );
      assert.equal(won.length, 1);
      assert.ok(lost.every((error) => ['CONFLICT', 'INVALID_ARGUMENT'].includes(codeOf(error))));
      const me = await host.as<{ workspaces: object[] }>(bearer(won[0] as Login), 'auth_me');
      assert.deepEqual(me.workspaces, [{ id: workspace_id, name: 'W', role: 'admin' }]);
      await rejects(
        host.as(bearer(admin), 'auth_revoke_invitation', { invitation_id: made.id }),
        'CONFLICT',
        /accepted/,
      );
    });

    it('end by revocation, expiry and replacement', async () => {
      const first = await invite(admin, { email: 'bob@example.com' });
      const second = await invite(admin, { email: 'bob@example.com' });
      await rejects(host.register('bob@example.com', { invitation: first.token }), 'INVALID_ARGUMENT');
      await host.database
        .sql('invitations')
        .where({ id: second.id })
        .update({ expires_at: new Date(0).toISOString() });
      await rejects(host.register('bob@example.com', { invitation: second.token }), 'INVALID_ARGUMENT');
      const third = await invite(admin, { email: 'bob@example.com' });
      assert.deepEqual(await host.as(bearer(admin), 'auth_revoke_invitation', { invitation_id: third.id }), {
        id: third.id,
        revoked: true,
      });
      await rejects(host.register('bob@example.com', { invitation: third.token }), 'INVALID_ARGUMENT');
    });

    it('are created by admins only, up to their own role', async () => {
      const workspaceAdmin = await join('wadmin@example.com', 'admin');
      const member = await join('member@example.com', 'member');
      await rejects(invite(member, { email: 'x@example.com', workspace_id }), 'PERMISSION_DENIED', /admin/);
      await rejects(invite(member, { email: 'x@example.com' }), 'PERMISSION_DENIED', /administrators/);
      await rejects(
        invite(workspaceAdmin, { email: 'x@example.com' }),
        'PERMISSION_DENIED',
        /administrators/,
      );
      await rejects(
        invite(workspaceAdmin, { email: 'x@example.com', workspace_id, role: 'owner' }),
        'PERMISSION_DENIED',
        /above your own/,
      );
      await invite(workspaceAdmin, { email: 'y@example.com', workspace_id, role: 'admin' });
      await rejects(
        invite(admin, { email: 'x@example.com', role: 'admin' }),
        'INVALID_ARGUMENT',
        /workspace_id/,
      );
      await rejects(invite(admin, { email: 'member@example.com', workspace_id }), 'CONFLICT', /members_add/);
      const foreign = '01990000-0000-7000-8000-000000000000';
      await rejects(invite(admin, { email: 'x@example.com', workspace_id: foreign }), 'NOT_FOUND');

      const deploymentWide = await invite(admin, { email: 'z@example.com' });
      const revoke = { invitation_id: deploymentWide.id };
      await rejects(host.as(bearer(workspaceAdmin), 'auth_revoke_invitation', revoke), 'NOT_FOUND');
      const all = await host.as<Page<object>>(bearer(admin), 'auth_list_invitations');
      const ours = await host.as<Page<Invitation>>(bearer(workspaceAdmin), 'auth_list_invitations', {
        workspace_id,
      });
      assert.ok(all.total > ours.total);
      assert.ok(
        ours.items.every(
          (one) => one.workspace_id === workspace_id && !('token' in one) && !('digest' in one),
        ),
      );
      await rejects(host.as(bearer(member), 'auth_list_invitations', { workspace_id }), 'PERMISSION_DENIED');
    });

    it('end with the permissions of their creator', async () => {
      const maker = await join('maker@example.com', 'owner');
      const asOwner = await invite(maker, { email: 'second@example.com', workspace_id, role: 'owner' });
      const member = { workspace_id, user_id: maker.user.id };
      const tried = () => host.register('second@example.com', { invitation: asOwner.token });
      await host.as(bearer(admin), 'members_update', { ...member, role: 'admin' });
      await rejects(tried(), 'INVALID_ARGUMENT', /no longer/);
      await host.as(bearer(admin), 'members_remove', member);
      await rejects(tried(), 'INVALID_ARGUMENT', /no longer/);
      await host.as(bearer(admin), 'members_add', {
        workspace_id,
        email: 'maker@example.com',
        role: 'owner',
      });
      await host.use('auth_disable_account', { email: 'maker@example.com' }, operator);
      await rejects(tried(), 'INVALID_ARGUMENT', /no longer/);
      await host.use('auth_enable_account', { email: 'maker@example.com' }, operator);
      await tried();

      const anywhere = await invite(admin, { email: 'third@example.com' });
      const asAdministrator = (administrator: boolean) =>
        host.use('auth_set_administrator', { email: 'admin@example.com', administrator }, operator);
      await asAdministrator(false);
      await rejects(
        host.register('third@example.com', { invitation: anywhere.token }),
        'INVALID_ARGUMENT',
        /no longer/,
      );
      await asAdministrator(true);
      await host.register('third@example.com', { invitation: anywhere.token });
    });

    it('need sufficient scopes: a narrow or confined key of an administrator is rejected', async () => {
      const narrow = await host.makeKey(admin); // mcp:read and mcp:write do not include admin:write
      await rejects(
        host.as(withKey(narrow), 'auth_invite', { email: 'n@example.com' }),
        'PERMISSION_DENIED',
        /admin:write/,
      );
      const confined = await host.makeKey(admin, { scopes: ['*'], workspace_id });
      await rejects(
        host.as(withKey(confined), 'auth_invite', { email: 'n@example.com' }),
        'PERMISSION_DENIED',
        /confined/,
      );
    });
  });

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
          workspaces: [],
          credential: { kind: 'session', scopes: ['*'] },
        });
        await rejects(host.open('auth_me'), 'UNAUTHENTICATED');
        const local = await host.use<{ credential: object }>('auth_me');
        assert.deepEqual(local.credential, { kind: 'owner', scopes: ['*'] });
      } finally {
        await host.stop();
      }
    });
  });
});
