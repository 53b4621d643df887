import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { findCredentials } from '@service-mcp/plugin-auth/contract';
import { SETUP_TOKEN, atOnce, authHost, bearer, codeOf, operator, type AuthHost } from './support.js';

eachDatabase((fresh) => {
  describe('the first account', () => {
    for (const registration of ['open', 'invite', 'closed'] as const) {
      it(`is one of ten concurrent ones, with registration ${registration}`, async () => {
        const host = await authHost(await fresh(), { registration });
        try {
          const { won, lost } = await atOnce(10, (i) => host.register(`p${i}@example.com`));
          const administrators = (await host.database.sql('users').where({ administrator: 1 })) as unknown[];
          assert.equal(administrators.length, 1);
          assert.equal(won.length, 1);
          const late = registration === 'open' ? 'INVALID_ARGUMENT' : 'PERMISSION_DENIED';
          assert.deepEqual(new Set(lost.map(codeOf)), new Set([late]));
          if (registration !== 'open')
            await rejects(
              host.register('late@example.com'),
              'PERMISSION_DENIED',
              registration === 'invite' ? /invitation/ : /operator/,
            );
        } finally {
          await host.stop();
        }
      });
    }

    it('is not followed by invitations where registration is closed, but to workspaces', async () => {
      const host = await authHost(await fresh(), { registration: 'closed' });
      const invite = (more: object) =>
        host.use('auth_invite', { email: 'bob@example.com', ...more }, operator);
      try {
        await rejects(invite({}), 'CONFLICT', /closed.*accounts create/);
        const owner = await host.register('ann@example.com');
        const { id: workspace_id } = await host.as(bearer(owner), 'workspaces_create', { name: 'W' });
        await rejects(invite({}), 'CONFLICT', /closed.*accounts create/);
        await invite({ workspace_id, role: 'viewer' }); // for whom has an account
      } finally {
        await host.stop();
      }
    });

    it('is the local owner where there is one, made once when two processes start at once', async () => {
      const database = await fresh();
      const hosts = [await authHost(database), await authHost(database)];
      try {
        const made = await Promise.all(
          Array.from({ length: 8 }, async (_, i) => hosts[i % 2]?.firstRun?.prepare()),
        );
        const [owner, ...more] = made.filter((one) => one !== undefined);
        assert.ok(owner);
        assert.equal(more.length, 0);
        const [host] = hosts as [AuthHost];
        const caller = await host.authenticate(bearer(owner.key));
        assert.deepEqual([caller?.administrator, caller?.scopes], [true, ['*']]);
        assert.equal(await host.firstRun?.unopened(), owner.email);
        const token = new URL(owner.link).searchParams.get('token');
        await host.open('auth_password', { reset_token: token, new_password: 'local owner password' });
        assert.equal(await host.firstRun?.unopened(), undefined);
        await host.open('auth_login', { email: owner.email, password: 'local owner password' });
        assert.equal(await host.firstRun?.setup(), undefined);
        const late = host.register('eve@example.com', { setup_token: SETUP_TOKEN });
        await rejects(late, 'INVALID_ARGUMENT', /setup_token/);
        await host.register('team@example.com');
        const administrators = await host.database.sql('users').where({ administrator: 1 }).select('email');
        assert.deepEqual(administrators, [{ email: owner.email }]);
      } finally {
        for (const host of hosts) await host.stop();
      }
    });

    it('takes the token that the terminal shows, on each replica, where the operator sets none', async () => {
      const database = await fresh();
      const none = { setup_token: undefined, registration: 'closed' };
      const hosts = [await authHost(database, none), await authHost(database, none)];
      const [first, second] = hosts as [AuthHost, AuthHost];
      try {
        const { token = '' } = (await first.firstRun?.setup()) ?? {};
        assert.match(token, /^svc_su_[\w-]{43}$/);
        assert.equal(findCredentials(token).length, 1, 'redacted wherever credentials are');
        const wrong = token.slice(0, -4) + 'AAAA';
        for (const setup_token of [wrong, SETUP_TOKEN, token.slice(7), 'svc_su_'])
          await rejects(second.register('a@example.com', { setup_token }), 'PERMISSION_DENIED', /set-up/);
        await second.register('a@example.com', { setup_token: token });
        await rejects(first.register('b@example.com', { setup_token: token }), 'PERMISSION_DENIED', /closed/);
      } finally {
        for (const host of hosts) await host.stop();
      }
    });

    it('is not created when an account exists', async () => {
      const host = await authHost(await fresh());
      try {
        await host.register('early@example.com');
        assert.equal(await host.firstRun?.prepare(), undefined);
      } finally {
        await host.stop();
      }
    });
  });
});
