import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountData, LOCAL_OWNER, contribute, definePlugin } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import {
  PASSWORD,
  authHost,
  bearer,
  codeOf,
  operator,
  withKey,
  type AuthHost,
  type Login,
} from './support.js';

const EMAIL = 'zwiebel@example.com';
const NAME = 'Zora Zwiebelfisch';

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

eachDatabase((fresh, engine) => {
  describe('the deletion of an account', () => {
    let host: AuthHost;
    let admin: Login;
    before(async () => {
      host = await authHost(await fresh());
      admin = await host.register('admin@example.com');
    });
    after(() => host.stop());

    const remove = (user: { id: string }, more: object = {}, by = admin) =>
      host.as(bearer(by), 'auth_delete_account', { account_id: user.id, ...more });
    const workspaceOf = async (login: Login, name: string) =>
      (await host.as<{ id: string }>(bearer(login), 'workspaces_create', { name })).id;

    /** Makes a person a member, who accepts. */
    async function join(owner: Login, person: Login, workspace_id: string, role: string): Promise<void> {
      const { email } = person.user;
      await host.as(bearer(owner), 'members_add', { workspace_id, email, role });
      const { items } = await host.as<{ items: Array<{ id: string; workspace: { id: string } }> }>(
        bearer(person),
        'members_list_invitations',
      );
      const offer = items.find(({ workspace }) => workspace.id === workspace_id);
      await host.as(bearer(person), 'members_accept', { membership_id: offer?.id });
    }

    /** Waits until what was planned for later is done. */
    async function erased({ database: { sql } }: AuthHost): Promise<void> {
      const rows = async () => (await sql('account_erasures')).length;
      for (let n = 0; n < 200 && (await rows()) > 0; n += 1) await sleep(50);
      assert.equal(await rows(), 0);
    }

    /** Where in the whole database a text stands. */
    async function placesOf(text: string): Promise<string[]> {
      const query =
        engine === 'postgresql'
          ? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
             WHERE table_schema = current_schema()`
          : `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
             WHERE m.type = 'table'`;
      const answer = (await host.database.sql.raw(query)) as Column[] | { rows: Column[] };
      const places: string[] = [];
      for (const { table, column } of Array.isArray(answer) ? answer : answer.rows) {
        const found = await host.database
          .sql(table)
          .whereRaw('LOWER(CAST(?? AS TEXT)) LIKE ?', [column, `%${text.toLowerCase()}%`]);
        if (found.length > 0) places.push(`${table}.${column}`);
      }
      return places;
    }
    interface Column {
      readonly table: string;
      readonly column: string;
    }

    it('leaves neither the address nor the name in any table, and what others have as it was', async () => {
      const person = await host.register(EMAIL, { name: NAME });
      const key = await host.makeKey(person);
      await host.open('auth_login', { email: EMAIL, password: PASSWORD });
      const shared = await workspaceOf(admin, 'shared');
      await join(admin, person, shared, 'admin');
      const offered = await workspaceOf(admin, 'offered');
      await host.as(bearer(admin), 'members_add', { workspace_id: offered, email: EMAIL, role: 'viewer' });
      const guest = { workspace_id: shared, email: 'guest@example.com', role: 'viewer' };
      await host.as(bearer(person), 'members_add', guest);
      const friend = { email: 'friend@example.com', workspace_id: shared, role: 'viewer' };
      await host.as(bearer(person), 'auth_invite', friend, { idempotencyKey: 'k-1' });
      await host.use('auth_reset_account', { email: EMAIL.toUpperCase() }, operator);
      for (const place of ['users.email', 'users.name', 'pending_memberships.email', 'audit_log.target'])
        assert.ok((await Promise.all([EMAIL, NAME].map(placesOf))).flat().includes(place), place);

      assert.deepEqual(await remove(person.user), { id: person.user.id, deleted: true });

      assert.deepEqual(await placesOf(EMAIL), []);
      assert.deepEqual(await placesOf(NAME), []);
      for (const credential of [withKey(key), bearer(person)])
        await rejects(host.as(credential, 'auth_me'), 'UNAUTHENTICATED');
      const credentials = { email: EMAIL, password: PASSWORD };
      await rejects(host.open('auth_login', credentials), 'UNAUTHENTICATED');
      const { items: members } = await host.as<{ items: Array<{ email: string }> }>(
        bearer(admin),
        'members_list',
        { workspace_id: shared },
      );
      assert.deepEqual(
        members.map(({ email }) => email),
        ['admin@example.com'],
        'neither the person nor whom they invited',
      );
      const types = (await host.database
        .sql('change_events')
        .where({ workspace_id: shared })
        .pluck('type')) as string[];
      assert.equal(types.filter((type) => type === 'member.removed').length, 1);
      const again = await host.register(EMAIL);
      assert.notEqual(again.user.id, person.user.id, 'the address is free again');
      assert.deepEqual((await host.as<{ workspaces: object[] }>(bearer(again), 'auth_me')).workspaces, []);
      await remove(again.user);
    });

    it('leaves no workspace without a member or an owner', async () => {
      const person = await host.register('owner@example.com');
      const colleague = await host.register('colleague@example.com');
      const own = await workspaceOf(person, 'diary');
      const team = await workspaceOf(person, 'team');
      await join(person, colleague, team, 'member');
      const refused = await rejects(
        remove(person.user, { delete_workspaces: true }),
        'CONFLICT',
        /^The account is the only owner of "team"\. To delete it, first make another member owner with members_update\.$/,
      );
      assert.deepEqual(refused.details, { only_member_of: [], only_owner_of: [team] });
      await host.use(
        'members_update',
        { workspace_id: team, user_id: colleague.user.id, role: 'owner' },
        operator,
      );
      await rejects(remove(person.user), 'CONFLICT', /only member of "diary"\. .*delete_workspaces/);
      assert.ok(await host.authenticate(bearer(person)), 'a refusal deletes nothing');
      await remove(person.user, { delete_workspaces: true });
      const left: string[] = await host.database.sql('workspaces').whereIn('id', [own, team]).pluck('id');
      assert.deepEqual(left, [team]);
    });

    it('is for administrators, and leaves one who can log in', async () => {
      const plain = await host.register('plain@example.com');
      await rejects(remove(admin.user, {}, plain), 'PERMISSION_DENIED', /administrators/);
      await rejects(
        remove(admin.user, { delete_workspaces: true }),
        'CONFLICT',
        /last administrator who can log in/,
      );
      await rejects(remove({ id: crypto.randomUUID() }), 'NOT_FOUND', /auth_list_accounts/);
      await rejects(remove({ id: "x' OR 1=1 --" }), 'INVALID_ARGUMENT', /account_id/);
      const both = await Promise.allSettled([remove(plain.user), remove(plain.user)]);
      const refused = both.flatMap((each) => (each.status === 'rejected' ? [codeOf(each.reason)] : []));
      assert.deepEqual(refused, ['NOT_FOUND']);
    });

    it('is once, also where no administrator is left to wait for', async () => {
      const third = await authHost(await fresh());
      try {
        const { user } = await third.register('admin@example.com');
        const plain = await third.register('plain@example.com');
        const asOperator = ({ id }: { id: string }) =>
          third.use('auth_delete_account', { account_id: id }, operator);
        await asOperator(user);
        const both = await Promise.allSettled([asOperator(plain.user), asOperator(plain.user)]);
        const refused = both.flatMap((each) => (each.status === 'rejected' ? [codeOf(each.reason)] : []));
        assert.deepEqual(refused, ['NOT_FOUND']);
      } finally {
        await third.stop();
      }
    });

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
