import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import { memberSuite, people, type Member } from './member-suite.js';

eachDatabase((fresh) => {
  describe('members', () => {
    const { as, role, remove, list, invite, accept, workspace, first, second } = memberSuite(fresh);

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
        as('ann', 'members_add', { workspace_id: id, email: 'cid@example.org', role: 'admin' }, second()),
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
        first().use('members_remove', { workspace_id: id, user_id: people.bob.userId }, { caller: reader }),
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
      await rejects(first().use('members_remove', left), 'CONFLICT', /last owner/); // the local owner, who is not a member
    });

    it('keeps one owner when two demote or leave each other at the same moment, ten times', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await workspace({ bob: 'owner' });
        const works = [
          [role('bob', id, 'ann', 'viewer'), role('ann', id, 'bob', 'viewer', second())],
          [remove('ann', id, 'ann'), remove('bob', id, 'bob', second())],
          [remove('bob', id, 'ann'), role('bob', id, 'bob', 'viewer', second())],
        ][round % 3] as Promise<unknown>[];
        const outcomes = await Promise.allSettled(works);
        const owners = (await first()
          .database.sql('memberships')
          .where({ workspace_id: id, role: 'owner' })) as unknown[];
        assert.equal(owners.length, 1, JSON.stringify(outcomes));
      }
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
