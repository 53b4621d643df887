import assert from 'node:assert/strict';
import { Directory, LOCAL_OWNER, definePlugin, provide, type Caller, type Role } from '@service-mcp/core';
import { callerWith, eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

interface Member {
  id: string;
  workspace_id: string;
  user_id: string | null;
  email: string;
  name: string;
  role: Role;
  status: 'pending' | 'accepted';
  created_at: string;
}
interface Invited {
  id: string;
  workspace: { id: string; name: string };
  role: Role;
  invited_by: string;
  created_at: string;
}

const NAMES = ['ann', 'bob', 'cid', 'dot'] as const;
type Name = (typeof NAMES)[number];
const people = Object.fromEntries(NAMES.map((name) => [name, callerWith({ name })])) as Record<Name, Caller>;
const accounts = NAMES.map((name) => ({ id: people[name].userId, email: `${name}@example.org`, name }));

/** Four people with accounts. */
const directory = definePlugin({
  id: 'directory',
  description: 'Knows four people.',
  api: '^1',
  services: [
    provide(Directory, {
      uses: {},
      create: () => ({
        byIds: async (ids) =>
          new Map(accounts.filter(({ id }) => ids.includes(id)).map((one) => [one.id, one])),
        byEmail: async (email) => accounts.find((one) => one.email === email.toLowerCase()),
      }),
    }),
  ],
});

eachDatabase((fresh) => {
  describe('members', () => {
    let host: TestHost;
    let second: TestHost;
    before(async () => {
      const database = await fresh();
      const options = { plugins: [directory, workspaces], database, workers: false };
      host = await testHost(options);
      second = await testHost(options);
    });
    after(async () => {
      await second.stop();
      await host.stop();
    });

    const as = <T>(who: Name, tool: string, args: object, on = host) =>
      on.use<T>(tool, args, { caller: people[who] });
    const role = (who: Name, workspace_id: string, by: Name, to: Role, on = host) =>
      as<Member>(by, 'members_update', { workspace_id, user_id: people[who].userId, role: to }, on);
    const remove = (who: Name, workspace_id: string, by: Name, on = host) =>
      as<{ id: string }>(by, 'members_remove', { workspace_id, user_id: people[who].userId }, on);
    const list = async (workspace_id: string, by: Name) =>
      (await as<{ items: Member[] }>(by, 'members_list', { workspace_id })).items;

    const invite = (workspace_id: string, email: string, to: Role, by: Name = 'ann') =>
      as<Member>(by, 'members_add', { workspace_id, email, role: to });
    const accept = (who: Name, { id: membership_id }: { id: string }, on = host) =>
      as<Member>(who, 'members_accept', { membership_id }, on);
    const invitations = async (who: Name) =>
      (await as<{ items: Invited[] }>(who, 'members_list_invitations', {})).items;

    /** A workspace of ann's, with others who joined it. */
    async function workspace(others: Partial<Record<Name, Role>> = {}): Promise<string> {
      const { id } = await as<{ id: string }>('ann', 'workspaces_create', { name: 'team' });
      for (const [name, given] of Object.entries(others) as Array<[Name, Role]>)
        await accept(name, await invite(id, `${name}@example.org`, given));
      return id;
    }

    it('adds, shows, changes and removes, with ids that stay, the owner’s too', async () => {
      const id = await workspace();
      const [owner] = await list(id, 'ann');
      assert.deepEqual(
        { ...owner, id: '', created_at: '' },
        {
          id: '',
          workspace_id: id,
          user_id: people.ann.userId,
          email: 'ann@example.org',
          name: 'ann',
          role: 'owner',
          status: 'accepted',
          created_at: '',
        },
      );
      const invited = await invite(id, 'BOB@example.org', 'viewer');
      const waiting = { workspace_id: id, user_id: null, email: 'bob@example.org', name: '' };
      const { id: membership, created_at } = invited;
      assert.deepEqual(invited, {
        ...waiting,
        id: membership,
        role: 'viewer',
        status: 'pending',
        created_at,
      });
      assert.deepEqual(await list(id, 'ann'), [owner, invited]);
      const bob = await accept('bob', invited);
      const joined = { user_id: people.bob.userId, name: 'bob', status: 'accepted' };
      assert.deepEqual(bob, { ...invited, ...joined }, 'the id of the invitation stays');
      const changed = await role('bob', id, 'ann', 'admin');
      assert.deepEqual(changed, { ...bob, role: 'admin' });
      assert.deepEqual(await list(id, 'bob'), [owner, changed], 'the same ids in every read');
      const one = { workspace_id: id, user_id: people.ann.userId };
      assert.deepEqual(await as('bob', 'members_get', one), owner);
      const byMembership = { workspace_id: id, user_id: bob.id };
      await rejects(as('ann', 'members_remove', byMembership), 'NOT_FOUND', /members_list/);
      assert.deepEqual(await remove('bob', id, 'ann'), { id: bob.id, deleted: true });
      await rejects(list(id, 'bob'), 'NOT_FOUND', /may see/);
      assert.deepEqual(await list(id, 'ann'), [owner]);
    });

    it('pages, and answers for the only workspace where it is left out', async () => {
      const id = await workspace({ dot: 'viewer', bob: 'member' });
      const page = await as<{ items: Member[]; total: number; has_next: boolean }>('dot', 'members_list', {
        per_page: 2,
      });
      assert.deepEqual([page.items.length, page.total, page.has_next], [2, 3, true]);
      assert.equal(page.items[0]?.workspace_id, id);
      await remove('dot', id, 'dot');
    });

    it('refuses unknown people, members, malformed addresses and unknown roles', async () => {
      const id = await workspace({ bob: 'viewer' });
      const add = (more: object) => as('ann', 'members_add', { workspace_id: id, role: 'viewer', ...more });
      await rejects(add({ email: 'bob@example.org' }), 'CONFLICT', /viewer .*members_update/);
      await rejects(add({ email: 'bob' }), 'INVALID_ARGUMENT', /email/);
      await rejects(add({ email: 'cid@example.org', role: 'boss' }), 'INVALID_ARGUMENT', /role/);
      await rejects(role('cid', id, 'ann', 'viewer'), 'NOT_FOUND', /members_list/);
      await rejects(remove('cid', id, 'ann'), 'NOT_FOUND', /members_list/);
      const twice = await Promise.allSettled([
        as('ann', 'members_add', { workspace_id: id, email: 'cid@example.org', role: 'viewer' }),
        as('ann', 'members_add', { workspace_id: id, email: 'cid@example.org', role: 'admin' }, second),
      ]);
      assert.deepEqual(twice.map((one) => one.status).sort(), ['fulfilled', 'rejected']);
      await rejects(add({ email: 'cid@example.org' }), 'CONFLICT', /already/);
    });

    it('is for admins, but anyone may look and leave', async () => {
      const id = await workspace({ bob: 'admin', cid: 'member', dot: 'viewer' });
      for (const who of ['cid', 'dot'] as const) {
        assert.equal((await list(id, who)).length, 4);
        await rejects(role('cid', id, who, 'admin'), 'PERMISSION_DENIED', /needs admin/);
        await rejects(role('dot', id, who, 'admin'), 'PERMISSION_DENIED', /needs admin/);
        await rejects(remove('bob', id, who), 'PERMISSION_DENIED', /needs admin/);
        await rejects(
          as(who, 'members_add', { workspace_id: id, email: 'x@example.org', role: 'viewer' }),
          'PERMISSION_DENIED',
          /needs admin/,
        );
      }
      await remove('dot', id, 'dot');
      await remove('cid', id, 'bob');
      assert.equal((await list(id, 'bob')).length, 2);
      const reader = { ...people.bob, scopes: ['workspaces:read'] };
      await rejects(
        host.use('members_remove', { workspace_id: id, user_id: people.bob.userId }, { caller: reader }),
        'PERMISSION_DENIED',
        /workspaces:write/,
      );
    });

    it('leaves owners to owners', async () => {
      const id = await workspace({ bob: 'admin', cid: 'member' });
      const refused = [
        role('cid', id, 'bob', 'owner'),
        role('bob', id, 'bob', 'owner'),
        role('ann', id, 'bob', 'viewer'),
        remove('ann', id, 'bob'),
        as('bob', 'members_add', { workspace_id: id, email: 'dot@example.org', role: 'owner' }),
      ];
      await Promise.all(refused.map((work) => rejects(work, 'PERMISSION_DENIED', /Only an owner/)));
      await role('bob', id, 'ann', 'owner');
      await remove('ann', id, 'bob');
      assert.deepEqual(
        (await list(id, 'bob')).map((one) => [one.name, one.role]),
        [
          ['bob', 'owner'],
          ['cid', 'member'],
        ],
      );
    });

    it('keeps the last owner', async () => {
      const id = await workspace({ bob: 'admin' });
      await rejects(remove('ann', id, 'ann'), 'CONFLICT', /last owner/);
      await rejects(role('ann', id, 'ann', 'admin'), 'CONFLICT', /last owner/);
      assert.equal(
        (await role('ann', id, 'ann', 'owner')).role,
        'owner',
        'an owner may set the role that they have',
      );
      await role('bob', id, 'ann', 'owner');
      await remove('ann', id, 'ann');
      await rejects(remove('bob', id, 'bob'), 'CONFLICT', /last owner/);
      const left = { workspace_id: id, user_id: people.bob.userId };
      await rejects(host.use('members_remove', left), 'CONFLICT', /last owner/); // the local owner, who is not a member
    });

    it('keeps one owner when two demote or leave each other at the same moment, ten times', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await workspace({ bob: 'owner' });
        const works = [
          [role('bob', id, 'ann', 'viewer'), role('ann', id, 'bob', 'viewer', second)],
          [remove('ann', id, 'ann'), remove('bob', id, 'bob', second)],
          [remove('bob', id, 'ann'), role('bob', id, 'bob', 'viewer', second)],
        ][round % 3] as Promise<unknown>[];
        const outcomes = await Promise.allSettled(works);
        const owners = (await host.database
          .sql('memberships')
          .where({ workspace_id: id, role: 'owner' })) as unknown[];
        assert.equal(owners.length, 1, JSON.stringify(outcomes));
      }
    });

    it('gives a person nothing but the name of a workspace until they accept, wherever it is asked', async () => {
      const { id: own } = await as<{ id: string }>('dot', 'workspaces_create', { name: 'mine' });
      const id = await workspace();
      const invited = await invite(id, 'dot@example.org', 'admin');
      const [shown, ...more] = await invitations('dot');
      assert.deepEqual(shown, {
        id: invited.id,
        workspace: { id, name: 'team' },
        role: 'admin',
        invited_by: 'ann@example.org',
        created_at: invited.created_at,
      });
      assert.equal(more.length, 0);
      // A caller with one workspace still has one: calls that leave it out keep working, and go to their own.
      const [only, ...others] = (await as<{ items: Member[] }>('dot', 'members_list', {})).items;
      assert.deepEqual([only?.workspace_id, others.length], [own, 0]);
      const visible = await as<{ items: Array<{ id: string }> }>('dot', 'workspaces_list', {});
      assert.deepEqual(
        visible.items.map((one) => one.id),
        [own],
      );
      for (const [tool, args] of [
        ['workspaces_get', {}],
        ['workspaces_overview', {}],
        ['members_list', {}],
        ['members_remove', { user_id: people.dot.userId }],
        ['projects_create', { name: 'p' }],
      ] as const)
        await rejects(as('dot', tool, { workspace_id: id, ...args }), 'NOT_FOUND', /may see/);
      const overview = await as<{ counts: { members: number } }>('ann', 'workspaces_overview', {
        workspace_id: id,
      });
      assert.equal(overview.counts.members, 1);
      await accept('dot', invited);
      assert.equal((await list(id, 'dot')).length, 2);
      assert.deepEqual(await invitations('dot'), []);
      await remove('dot', id, 'dot');
      await as('dot', 'workspaces_delete', { workspace_id: own });
    });

    it('answers an invitation alike whether the address has an account or not', async () => {
      const id = await workspace();
      const shape = ({ id: _id, email: _email, created_at: _at, ...rest }: Member) => rest;
      const known = await invite(id, 'bob@example.org', 'viewer');
      const unknown = await invite(id, 'Eve@example.org', 'viewer');
      assert.deepEqual(shape(known), shape(unknown));
      assert.equal(unknown.email, 'eve@example.org');
      for (const email of ['bob@example.org', 'EVE@example.org'])
        await rejects(invite(id, email, 'member'), 'CONFLICT', /viewer .*members_update/);
    });

    it('is accepted by its person alone, once, and declined or withdrawn for good', async () => {
      const id = await workspace();
      const invited = await invite(id, 'bob@example.org', 'member');
      for (const who of ['ann', 'cid'] as const) {
        await rejects(accept(who, invited), 'NOT_FOUND', /members_list_invitations/);
        await rejects(
          as(who, 'members_decline', { membership_id: invited.id }),
          'NOT_FOUND',
          /members_list_invitations/,
        );
      }
      const confined = { ...people.bob, workspaceId: id };
      const args = { membership_id: invited.id };
      await rejects(host.use('members_accept', args, { caller: confined }), 'NOT_FOUND');
      const seen = await host.use<{ items: Invited[] }>('members_list_invitations', {}, { caller: confined });
      assert.deepEqual(seen.items, []);
      const answers = await Promise.all([host, second, host, second].map((on) => accept('bob', invited, on)));
      assert.equal(new Set(answers.map((one) => JSON.stringify(one))).size, 1);
      assert.equal((await list(id, 'ann')).length, 2);

      const declined = await invite(id, 'cid@example.org', 'member');
      await as('cid', 'members_decline', { membership_id: declined.id });
      await rejects(accept('cid', declined), 'NOT_FOUND');
      const withdrawn = await invite(id, 'cid@example.org', 'member');
      const one = { workspace_id: id, user_id: withdrawn.id };
      const changed = await as<Member>('ann', 'members_update', { ...one, role: 'viewer' });
      assert.deepEqual([changed.role, changed.status], ['viewer', 'pending']);
      assert.deepEqual(await as('ann', 'members_remove', one), { id: withdrawn.id, deleted: true });
      await rejects(accept('cid', withdrawn), 'NOT_FOUND');
      assert.equal(
        (await invitations('cid')).some((each) => each.workspace.id === id),
        false,
      );
    });

    it('ends what a member invited who may invite no longer', async () => {
      const id = await workspace({ bob: 'owner' });
      const asOwner = await invite(id, 'cid@example.org', 'owner', 'bob');
      const asViewer = await invite(id, 'dot@example.org', 'viewer', 'bob');
      await role('bob', id, 'ann', 'admin');
      await rejects(accept('cid', asOwner), 'NOT_FOUND');
      await remove('bob', id, 'ann');
      await rejects(accept('dot', asViewer), 'NOT_FOUND');
      await as('ann', 'members_add', { workspace_id: id, email: 'dot@example.org', role: 'viewer' });
      await as('ann', 'workspaces_delete', { workspace_id: id });
      assert.deepEqual(await invitations('dot'), []);
    });

    it('hides workspaces from strangers', async () => {
      const id = await workspace();
      for (const [tool, more] of [
        ['members_list', {}],
        ['members_get', { user_id: people.ann.userId }],
        ['members_add', { email: 'bob@example.org', role: 'owner' }],
        ['members_update', { user_id: people.cid.userId, role: 'owner' }],
        ['members_remove', { user_id: people.cid.userId }],
      ] as const) {
        await rejects(as('cid', tool, { workspace_id: id, ...more }), 'NOT_FOUND', /may see/);
      }
      assert.equal((await list(id, 'ann')).length, 1);
    });
  });
});

describe('members without accounts', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [workspaces], workers: false });
  });
  after(() => host.stop());

  it('consist of the local owner, and nobody can be added', async () => {
    const { id } = await host.use<{ id: string }>('workspaces_create', { name: 'mine' });
    const { items } = await host.use<{ items: Member[] }>('members_list');
    assert.deepEqual(
      items.map(({ user_id, email, name, role }) => [user_id, email, name, role]),
      [[LOCAL_OWNER.userId, 'owner@localhost', 'local owner', 'owner']],
    );
    const add = (email: string) => host.use('members_add', { workspace_id: id, email, role: 'viewer' });
    await rejects(add('bob@example.org'), 'NOT_FOUND', /auth plugin/);
    await rejects(add('owner@localhost'), 'CONFLICT', /already/);
  });
});
