import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountData, LOCAL_OWNER, contribute, definePlugin } from '@service-mcp/core';
import { eachDatabase } from '@service-mcp/core/testing';
import { authHost, bearer, operator, type AuthHost } from './support.js';

/** A third party's plugin that keeps something of each person. */
const scores = definePlugin({
  id: 'scores',
  description: 'Keeps scores.',
  api: '^1',
  migrations: [
    {
      id: '001_create_scores',
      up: (sql) => sql.schema.createTable('scores', (table) => void table.text('user_id').notNullable()),
    },
  ],
  services: [
    contribute(AccountData, {
      uses: {},
      create: (): AccountData => ({
        async erase(sql, _record, { userId: user_id }) {
          await sql('scores').where({ user_id }).delete();
        },
      }),
    }),
  ],
});

eachDatabase((fresh) => {
  describe('what is erased of a deleted account later', () => {
    /** Waits until what was planned for later is done. */
    async function erased({ database: { sql } }: AuthHost): Promise<void> {
      const rows = async () => (await sql('account_erasures')).length;
      for (let n = 0; n < 200 && (await rows()) > 0; n += 1) await sleep(50);
      assert.equal(await rows(), 0);
    }

    it('takes nothing later of the local owner, whose id calls from this machine go on to use', async () => {
      const database = await fresh();
      const first = await authHost(database);
      const { userId } = LOCAL_OWNER;
      for (let n = 0; n < 2; n += 1) {
        assert.ok(await first.firstRun?.prepare(), 'it is made again');
        await first.use('auth_delete_account', { account_id: userId }, operator);
        assert.equal((await first.database.sql('api_keys').where({ user_id: userId })).length, 0);
      }
      await first.use('workspaces_create', { name: 'ingested' }, operator);
      await first.database.sql('account_erasures').update({ due_at: new Date(0).toISOString() });
      await first.stop();
      const second = await authHost(database);
      try {
        await erased(second);
        assert.deepEqual(await second.database.sql('workspaces').pluck('name'), ['ingested']);
      } finally {
        await second.stop();
      }
    });

    it('takes what a call that was under way made, once that has ended, but keeps what a plugin held that was disabled', async () => {
      for (const { asked, disabled, left } of [
        { asked: true, disabled: [], left: ['late'] },
        { asked: false, disabled: [], left: ['late'] },
        { asked: false, disabled: ['workspaces'], left: ['late', 'own'] },
      ])
        assert.deepEqual(await leftAfter(asked, disabled), left, JSON.stringify({ asked, disabled }));
    });

    /** Names of the workspaces after the later erasure; the account is alone in `own`. */
    async function leftAfter(delete_workspaces: boolean, disabled: readonly string[]): Promise<string[]> {
      const database = await fresh();
      const first = await authHost(database);
      const owner = await first.register('admin@example.com');
      const { user } = await first.register('late@example.com');
      const { id: workspace_id } = await first.as<{ id: string }>(bearer(owner), 'workspaces_create', {
        name: 'late',
      });
      await first.as(bearer(owner), 'auth_delete_account', { account_id: user.id, delete_workspaces });
      const created_at = new Date().toISOString();
      const own = crypto.randomUUID();
      const { sql } = first.database;
      await sql('workspaces').insert({
        id: own,
        name: 'own',
        description: '',
        created_at,
        updated_at: created_at,
      });
      for (const id of [workspace_id, own]) {
        const row = { id: crypto.randomUUID(), user_id: user.id, created_at };
        await sql('memberships').insert({ ...row, workspace_id: id, role: 'viewer' });
      }
      const due_at = new Date(0).toISOString();
      for (const plugin of disabled)
        await sql('account_erasures').insert({ user_id: user.id, plugin, delete_workspaces: 0, due_at });
      assert.equal(await sql('account_erasures').update({ due_at }), 1 + disabled.length);
      await first.stop();
      const second = await authHost(database);
      try {
        await erased(second);
        const { sql } = second.database;
        assert.equal((await sql('memberships').where({ user_id: user.id })).length, 0);
        return await sql('workspaces').orderBy('name').pluck('name');
      } finally {
        await second.stop();
      }
    }

    it('is finished for others where a plugin fails for one', async () => {
      let failsFor: string | undefined;
      const fails = definePlugin({
        id: 'fails',
        description: 'Fails for one account.',
        api: '^1',
        services: [
          contribute(AccountData, {
            uses: {},
            create: (): AccountData => ({
              async erase(_sql, _record, { userId, email }) {
                if (email === undefined && (failsFor ??= userId) === userId) throw new Error('it fails');
              },
            }),
          }),
        ],
      });
      const database = await fresh();
      const first = await authHost(database);
      const owner = await first.register('admin@example.com');
      for (const email of ['one@example.com', 'two@example.com']) {
        const { user } = await first.register(email);
        await first.as(bearer(owner), 'auth_delete_account', { account_id: user.id });
      }
      await first.database.sql('account_erasures').update({ due_at: new Date(0).toISOString() });
      await first.stop();
      const second = await authHost(database, {}, { plugins: [fails] });
      try {
        const left = (): Promise<string[]> => second.database.sql('account_erasures').pluck('user_id');
        for (let n = 0; n < 200 && (await left()).length > 1; n += 1) await sleep(50);
        assert.deepEqual(await left(), [failsFor]);
      } finally {
        await second.stop();
      }
    });

    it('is finished by a plugin that was disabled, once it is enabled again', async () => {
      const database = await fresh();
      const first = await authHost(database, {}, { plugins: [scores] });
      const owner = await first.register('admin@example.com');
      const { user } = await first.register('player@example.com');
      await first.database.sql('scores').insert({ user_id: user.id });
      await first.stop();
      const second = await authHost(database);
      await second.as(bearer(owner), 'auth_delete_account', { account_id: user.id });
      await second.database.sql('account_erasures').update({ due_at: new Date(0).toISOString() });
      assert.equal((await second.database.sql('scores')).length, 1, 'nothing can erase it yet');
      await second.stop();
      const third = await authHost(database, {}, { plugins: [scores] });
      try {
        await erased(third);
        assert.equal((await third.database.sql('scores')).length, 0);
      } finally {
        await third.stop();
      }
    });
  });
});
