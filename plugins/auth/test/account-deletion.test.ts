import assert from 'node:assert/strict';
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
  });
});
