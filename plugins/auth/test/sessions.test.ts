import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { PASSWORD, atOnce, authHost, bearer, codeOf, type AuthHost, type Login } from './support.js';

eachDatabase((fresh) => {
  describe('sessions', () => {
    let host: AuthHost;
    const many = { login_tries: 1000, login_tries_per_email: 1000, login_tries_per_peer: 1000 };
    before(async () => {
      host = await authHost(await fresh(), many);
    });
    after(() => host.stop());

    const refresh = (refresh_token: string) => host.open<Login>('auth_refresh', { refresh_token });

    it('refreshes into a new pair; reuse of the old token ends the family', async () => {
      const first = await host.register('a@example.com');
      const second = await refresh(first.refresh_token);
      assert.notEqual(second.access_token, first.access_token);
      await rejects(host.authenticate(bearer(first)), 'UNAUTHENTICATED', /Refresh/);
      assert.equal((await host.authenticate(bearer(second)))?.userId, first.user.id);
      await rejects(refresh(first.refresh_token), 'UNAUTHENTICATED');
      await rejects(host.authenticate(bearer(second)), 'UNAUTHENTICATED');
      await rejects(refresh(second.refresh_token), 'UNAUTHENTICATED');
    });

    it('accepts exactly one of ten parallel refreshes', async () => {
      const login = await host.register('b@example.com');
      const { won, lost } = await atOnce(10, () => refresh(login.refresh_token));
      assert.equal(won.length, 1);
      assert.ok(lost.every((error) => codeOf(error) === 'UNAUTHENTICATED'));
    });

    it('ends alone with a logout, by itself or by its refresh token', async () => {
      const login = await host.register('c@example.com');
      const other = await host.open<Login>('auth_login', {
        email: 'c@example.com',
        password: 'correct horse battery',
      });
      await host.as(bearer(other), 'auth_logout');
      await rejects(host.authenticate(bearer(other)), 'UNAUTHENTICATED');
      const third = await host.open<Login>('auth_login', {
        email: 'c@example.com',
        password: 'correct horse battery',
      });
      await host.as(bearer(login), 'auth_logout', { refresh_token: third.refresh_token });
      await rejects(refresh(third.refresh_token), 'UNAUTHENTICATED');
      assert.ok(await host.authenticate(bearer(login)));
      const key = await host.makeKey(login);
      await rejects(
        host.as(bearer(key.secret_key), 'auth_logout'),
        'INVALID_ARGUMENT',
        /auth_revoke_api_key/,
      );
    });

    it('does not start with a password that is being changed', async () => {
      const given = await host.register('race@example.com');
      const change = { current_password: PASSWORD, new_password: 'another horse battery' };
      const changing = { done: false };
      const changed = host.as(bearer(given), 'auth_password', change).finally(() => (changing.done = true));
      const logins: Array<Promise<Login | undefined>> = [];
      const credentials = { email: 'race@example.com', password: PASSWORD };
      while (!changing.done) {
        logins.push(host.open<Login>('auth_login', credentials).catch(() => undefined));
        await setTimeout(15);
      }
      await changed;
      for (const login of await Promise.all(logins))
        if (login) await rejects(host.authenticate(bearer(login)), 'UNAUTHENTICATED');
      const { sql } = host.database;
      assert.deepEqual(await sql('sessions').where({ user_id: given.user.id }).select('id'), [
        { id: (await host.authenticate(bearer(given)))?.credentialId },
      ]);
    });

    it('expires', async () => {
      const login = await host.register('d@example.com');
      await host.database.sql('session_tokens').update({ expires_at: new Date(0).toISOString() });
      await rejects(host.authenticate(bearer(login)), 'UNAUTHENTICATED');
      await rejects(refresh(login.refresh_token), 'UNAUTHENTICATED');
    });

    it('stores no token, and does not confuse kinds of tokens', async () => {
      const login = await host.register('e@example.com');
      const rows = JSON.stringify(await host.database.sql('session_tokens').select('*'));
      assert.ok(!rows.includes(login.access_token.slice(7)) && !rows.includes(login.refresh_token.slice(7)));
      await rejects(host.authenticate(bearer(login.refresh_token)), 'UNAUTHENTICATED', /refresh token/);
      await rejects(refresh(login.access_token), 'UNAUTHENTICATED');
      for (const hostile of ['svc_rt_', `svc_rt_${'x'.repeat(900)}`, 'svc_rt_%00', "' OR 1=1 --"])
        await rejects(refresh(hostile), 'UNAUTHENTICATED');
    });
  });
});
