import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachDatabase } from '@service-mcp/core/testing';
import { authHost, bearer, withKey } from './support.js';

const LONG_AGO = new Date(0).toISOString();

eachDatabase((fresh, engine) => {
  describe('expired rows', () => {
    it('are deleted, and nothing else', async () => {
      const database = await fresh();
      const first = await authHost(database);
      const login = await first.register('a@example.com');
      const old = await first.register('b@example.com');
      const { sql } = first.database;
      await sql('sessions').where({ user_id: old.user.id }).update({ expires_at: LONG_AGO });
      await sql('reset_tokens').insert({ digest: 'x', user_id: old.user.id, expires_at: LONG_AGO });
      await sql('audit_log').where({ action: 'auth_register' }).update({ at: LONG_AGO });
      const { id } = await first.as(bearer(login), 'workspaces_create', { name: 'W' });
      for (const email of ['c@example.com', 'd@example.com'])
        await first.as(bearer(login), 'members_add', { workspace_id: id, email, role: 'viewer' });
      await sql('pending_memberships').where({ email: 'c@example.com' }).update({ expires_at: LONG_AGO });
      await first.stop();
      const second = await authHost(database);
      try {
        const left = async () => {
          const tables = ['sessions', 'reset_tokens', 'audit_log', 'pending_memberships'];
          const counts = await Promise.all(
            tables.map(async (table) => ((await second.database.sql(table).select('*')) as unknown[]).length),
          );
          return counts.join(' ');
        };
        for (let i = 0; i < 100 && (await left()) !== '1 0 3 1'; i++) await sleep(50);
        assert.equal(await left(), '1 0 3 1');
        assert.ok(await second.authenticate(bearer(login)));
      } finally {
        await second.stop();
      }
    });
  });

  if (engine === 'postgresql') {
    it('credentials work behind a pooler that loses prepared statements', async () => {
      const host = await authHost(await fresh(), {}, {});
      try {
        const login = await host.register('a@example.com');
        const key = await host.makeKey(login);
        const both = async () => {
          assert.ok(await host.authenticate(withKey(key)));
          assert.ok(await host.authenticate(bearer(login)));
        };
        await both();
        await host.database.sql.raw('DEALLOCATE ALL'); // like another server connection of a pooler
        await both();
        await both();
      } finally {
        await host.stop();
      }
    });
  }
});
