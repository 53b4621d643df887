import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import {
  PASSWORD,
  atOnce,
  authHost,
  bearer,
  codeOf,
  operator,
  type AuthHost,
  type Login,
  SETUP_TOKEN,
} from './support.js';

eachDatabase((fresh) => {
  describe('accounts', () => {
    let host: AuthHost;
    before(async () => {
      host = await authHost(await fresh(), {
        login_tries: 1000,
        login_tries_per_email: 1000,
        login_tries_per_peer: 100_000,
      });
    });
    after(() => host.stop());

    const administratorOf = async (email: string) => {
      const row = (await host.database.sql('users').where({ email }).first('administrator')) as {
        administrator: number;
      };
      return row.administrator === 1;
    };

    it('makes only the first account an administrator, which needs the set-up token', async () => {
      for (const setup_token of [undefined, 'x', `${SETUP_TOKEN}x`, SETUP_TOKEN.toUpperCase(), 'svc_su_'])
        await rejects(
          host.open('auth_register', { email: 'eve@example.com', password: PASSWORD, setup_token }),
          'PERMISSION_DENIED',
          /set-up token/,
        );
      const first = await host.register('First@Example.com', { name: 'First É' });
      assert.equal(first.user.email, 'first@example.com');
      assert.equal(first.user.name, 'First É');
      assert.equal(first.token_type, 'Bearer');
      assert.equal(first.expires_in, 900);
      assert.equal(await administratorOf('first@example.com'), true);
      const second = await host.register('second@example.com');
      assert.equal(second.user.name, 'second');
      assert.equal(await administratorOf('second@example.com'), false);
      const late = host.register('third@example.com', { setup_token: SETUP_TOKEN });
      await rejects(late, 'INVALID_ARGUMENT', /setup_token/);
    });

    it('rejects a taken address in any case, and ignores fields that registration must not set', async () => {
      await rejects(host.register('FIRST@example.COM'), 'CONFLICT', /Log in/);
      for (const more of [{ administrator: true }, { id: 'x' }, { user_id: 'x' }, { disabled_at: null }]) {
        await rejects(host.register('mass@example.com', more), 'INVALID_ARGUMENT', /not a known field/);
      }
      assert.equal(await host.database.sql('users').where({ email: 'mass@example.com' }).first(), undefined);
    });

    it('rejects hostile, huge and missing input', async () => {
      const wrong: object[] = [
        {},
        { email: 'a@b.c' },
        { email: 'no address', password: PASSWORD },
        { email: `${'a'.repeat(300)}@example.com`, password: PASSWORD },
        { email: 'a@b.c', password: 'too short' },
        { email: 'a@b.c', password: 'x'.repeat(201) },
        { email: ['a@b.c'], password: PASSWORD },
        { email: 'a@b.c', password: { length: 12 } },
        { email: 'nul\0@b.c', password: PASSWORD },
        { email: 'a@b.c', password: `${PASSWORD}\0` },
        { email: 'half\ud800@b.c', password: PASSWORD },
      ];
      for (const input of wrong) await rejects(host.open('auth_register', input), 'INVALID_ARGUMENT');
      const sly = 'o\'brien"; drop table users;--@example.com'.replaceAll(' ', '');
      const made = await host.register(sly, { name: '<script>alert(1)</script>' });
      assert.equal(made.user.email, sly);
      assert.equal(
        (await host.open<Login>('auth_login', { email: sly, password: PASSWORD })).user.id,
        made.user.id,
      );
    });

    it('accepts one of ten parallel registrations of an address', async () => {
      const { won, lost } = await atOnce(10, () => host.register('race@example.com'));
      assert.equal(won.length, 1);
      assert.deepEqual([...new Set(lost.map(codeOf))], ['CONFLICT']);
    });

    it('logs in with address and password, with one message for every wrong pair', async () => {
      const login = await host.open<Login>('auth_login', { email: 'FIRST@example.com', password: PASSWORD });
      assert.equal((await host.authenticate(bearer(login)))?.userId, login.user.id);
      const messages = new Set<string>();
      await host.use('auth_create_account', { email: 'bare@example.com' }, operator);
      await host.use('auth_disable_account', { email: 'second@example.com' }, operator);
      for (const [email, password] of [
        ['first@example.com', 'wrong password'],
        ['first@example.com', ''],
        ['nobody@example.com', PASSWORD],
        ['bare@example.com', PASSWORD], // has no password
        ['second@example.com', PASSWORD], // is disabled
      ]) {
        const error = await rejects(host.open('auth_login', { email, password }), 'UNAUTHENTICATED');
        messages.add(JSON.stringify(error.body));
      }
      assert.equal(messages.size, 1, [...messages].join('\n'));
      await host.use('auth_enable_account', { email: 'second@example.com' }, operator);
      await host.open('auth_login', { email: 'second@example.com', password: PASSWORD });
    });

    it('salts each hash, and normalizes Unicode', async () => {
      await host.register('salt1@example.com', { password: 'pässwörter lang' });
      await host.register('salt2@example.com', { password: 'pässwörter lang' });
      const hashes = (await host.database
        .sql('users')
        .whereIn('email', ['salt1@example.com', 'salt2@example.com'])
        .pluck('password_hash')) as string[];
      assert.notEqual(hashes[0], hashes[1]);
      assert.match(String(hashes[0]), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const decomposed = 'pässwörter lang'.normalize('NFD');
      await host.open('auth_login', { email: 'salt1@example.com', password: decomposed });
    });

    it('changes a password with the current one, and ends every other session', async () => {
      const mine = await host.register('change@example.com');
      const other = await host.open<Login>('auth_login', { email: 'change@example.com', password: PASSWORD });
      const change = (more: object, headers = bearer(mine)) =>
        host.as(headers, 'auth_password', { new_password: 'another password', ...more });
      await rejects(change({ current_password: 'wrong password' }), 'UNAUTHENTICATED', /current password/);
      await rejects(change({}), 'INVALID_ARGUMENT', /reset_token/);
      await rejects(change({ current_password: PASSWORD, reset_token: 'x' }), 'INVALID_ARGUMENT');
      await rejects(change({ current_password: PASSWORD }, {}), 'UNAUTHENTICATED', /needs a credential/);
      const { won, lost } = await atOnce(5, () => change({ current_password: PASSWORD }));
      assert.deepEqual(won, [{ changed: true }]);
      assert.ok(lost.every((error) => ['CONFLICT', 'UNAUTHENTICATED'].includes(codeOf(error))));
      assert.ok(await host.authenticate(bearer(mine)), 'the session that asked stays');
      await rejects(host.authenticate(bearer(other)), 'UNAUTHENTICATED');
      await rejects(
        host.open('auth_login', { email: 'change@example.com', password: PASSWORD }),
        'UNAUTHENTICATED',
      );
    });

    it('sets a password with a link that works once and replaces earlier links', async () => {
      const session = await host.register('reset@example.com');
      const link = async () => {
        const made = await host.use<{ link: string }>(
          'auth_reset_account',
          { email: 'RESET@example.com' },
          operator,
        );
        const url = new URL(made.link);
        assert.equal(url.pathname, '/oauth/password');
        return url.searchParams.get('token') as string;
      };
      const [earlier, reset_token] = [await link(), await link()];
      const set = (token: string) =>
        host.open('auth_password', { reset_token: token, new_password: 'by link password' });
      await rejects(set(earlier), 'UNAUTHENTICATED', /link/);
      await rejects(set('svc_pw_unknown'), 'UNAUTHENTICATED', /link/);
      const { won, lost } = await atOnce(10, () => set(reset_token));
      assert.equal(won.length, 1);
      assert.ok(lost.every((error) => ['CONFLICT', 'UNAUTHENTICATED'].includes(codeOf(error))));
      await rejects(host.authenticate(bearer(session)), 'UNAUTHENTICATED');
      await host.open('auth_login', { email: 'reset@example.com', password: 'by link password' });
      const late = await link();
      await host.database.sql('reset_tokens').update({ expires_at: new Date(0).toISOString() });
      await rejects(set(late), 'UNAUTHENTICATED', /link/);
    });

    it('ends all access of a disabled account at once', async () => {
      const login = await host.register('off@example.com');
      const key = await host.makeKey(login);
      await host.use('auth_disable_account', { email: 'off@example.com' }, operator);
      await rejects(host.authenticate(bearer(login)), 'UNAUTHENTICATED');
      await rejects(host.authenticate(bearer(key.secret_key)), 'UNAUTHENTICATED', /disabled/);
      await rejects(host.open('auth_refresh', { refresh_token: login.refresh_token }), 'UNAUTHENTICATED');
      await host.use('auth_enable_account', { email: 'off@example.com' }, operator);
      assert.ok(await host.authenticate(bearer(key.secret_key)));
    });

    describe('for administrators, by the network', () => {
      const asked = (login: Login, tool: string, args: object) => host.as(bearer(login), tool, args);
      const first = () => host.open<Login>('auth_login', { email: 'first@example.com', password: PASSWORD });

      it('finds them by a part of the address or the name, in any case', async () => {
        await host.register('zoe_1@example.com', { name: 'Zoe 100%' });
        await host.register('zoex1@example.com', { name: 'Other' });
        const find = async (query: string) => {
          const page = await asked(await first(), 'auth_list_accounts', { query });
          return (page as { items: { email: string }[] }).items.map(({ email }) => email);
        };
        assert.deepEqual(await find(' ZOE_1'), ['zoe_1@example.com'], 'a wildcard is a letter');
        assert.deepEqual(await find('zoe 100%'), ['zoe_1@example.com']);
        assert.deepEqual(await find('nobody\\'), []);
        await host.register('ozil@example.com', { name: 'Ömer Łukasz ÖZIL' });
        for (const part of ['ömer', 'ÖMER ł', 'Łukasz', 'özil', 'Ömer Ł'])
          assert.deepEqual(await find(part), ['ozil@example.com'], part);
        assert.ok((await find('')).length > 2);
        await rejects(find('x'.repeat(201)), 'INVALID_ARGUMENT', /query/);
      });

      it('disables and enables them, and makes administrators', async () => {
        const root = await first();
        const login = await host.register('changed@example.com');
        const change = (changes: object) =>
          asked(root, 'auth_update_account', { account_id: login.user.id, ...changes });
        const { disabled, administrator } = (await change({ disabled: true })) as Record<string, boolean>;
        assert.deepEqual([disabled, administrator], [true, false]);
        await rejects(host.authenticate(bearer(login)), 'UNAUTHENTICATED');
        await change({ disabled: false, administrator: true });
        const again = await host.open<Login>('auth_login', {
          email: 'changed@example.com',
          password: PASSWORD,
        });
        await asked(again, 'auth_list_accounts', {});
        assert.equal((await change({}))['administrator'], true, 'nothing is changed');
        await change({ administrator: false });
        await rejects(asked(again, 'auth_list_accounts', {}), 'PERMISSION_DENIED', /administrator/);
        await rejects(change({ disabled: 'yes' }), 'INVALID_ARGUMENT', /disabled/);
        await rejects(change({ email: 'x@example.com' }), 'INVALID_ARGUMENT', /email/);
        const nobody = { account_id: '01890000-0000-7000-8000-000000000000', disabled: true };
        await rejects(asked(root, 'auth_update_account', nobody), 'NOT_FOUND', /auth_list_accounts/);
        await rejects(asked(again, 'auth_update_account', nobody), 'PERMISSION_DENIED');
      });

      it('keeps one administrator who can log in, whoever asks at once', async () => {
        const root = await first();
        const other = await host.register('second-admin@example.com');
        const one = (account_id: string, changes: object) =>
          asked(root, 'auth_update_account', { account_id, ...changes });
        for (const changes of [{ disabled: true }, { administrator: false }])
          await rejects(one(root.user.id, changes), 'CONFLICT', /last administrator/);
        const { account } = await host.use<{ account: { id: string } }>(
          'auth_create_account',
          { email: 'no-password@example.com', administrator: true },
          operator,
        );
        await rejects(one(root.user.id, { disabled: true }), 'CONFLICT', /that has a password/);
        await one(account.id, { administrator: false });
        await one(other.user.id, { administrator: true });
        const both = [root.user.id, other.user.id];
        const { won, lost } = await atOnce(2, (i) => one(String(both[i]), { administrator: false }));
        assert.deepEqual([won.length, lost.length], [1, 1]);
        const left = (await host.database.sql('users').where({ administrator: 1 })) as unknown[];
        assert.equal(left.length, 1);
        await host.use(
          'auth_set_administrator',
          { email: 'first@example.com', administrator: true },
          operator,
        );
      });
    });

    it("offers the operator's tools only in process", async () => {
      const login = await host.open<Login>('auth_login', { email: 'first@example.com', password: PASSWORD });
      for (const surface of ['rest', 'rpc', 'mcp'] as const) {
        for (const tool of ['auth_disable_account', 'auth_reset_account', 'auth_set_administrator']) {
          await rejects(host.as(bearer(login), tool, { email: 'a@b.c' }, { surface }), 'UNKNOWN_TOOL');
        }
      }
      const { items } = await host.use<{ items: Array<{ email: string }> }>(
        'auth_list_accounts',
        {},
        operator,
      );
      assert.ok(items.some(({ email }) => email === 'first@example.com'));
      await rejects(
        host.use('auth_reset_account', { email: 'x@y.z' }, operator),
        'NOT_FOUND',
        /auth_list_accounts/,
      );
    });
  });
});
