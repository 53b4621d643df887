import assert from 'node:assert/strict';
import type { ServiceError, Sql } from '@service-mcp/core';
import { behindLock, eachDatabase, onDatabase, rejects } from '@service-mcp/core/testing';
import { memberSuite, people, type Invited, type Member, type Name } from './member-suite.js';

/** Without more, a model would read a line of the service. */
const FORGED = 'one\n\u202Etwo';

eachDatabase((fresh) => {
  describe('invitations to a workspace', () => {
    const { as, textOf, role, remove, list, invite, accept, invitations, workspace, first, second } =
      memberSuite(fresh);

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

    it('shows a model a name in a line, whatever its author put into it', async () => {
      const { id } = await as<{ id: string }>('ann', 'workspaces_create', {
        name: FORGED,
        description: FORGED,
      });
      await as('ann', 'projects_create', { workspace_id: id, name: FORGED, description: FORGED });
      const invited = await invite(id, 'dot@example.org', 'viewer');
      const shown: Array<readonly [Name, string, object, string]> = [
        ['ann', 'workspaces_list', { per_page: 100 }, `${id} one two; owner; one two`],
        ['ann', 'projects_list', { workspace_id: id }, ' one two; 0 files, not_indexed; one two'],
        ['dot', 'members_list_invitations', {}, `${invited.id}; one two; viewer; invited by ann@example.org`],
      ];
      for (const [who, tool, args, line] of shown) {
        const text = await textOf(who, tool, args);
        assert.ok(
          text.split('\n').some((each) => each.endsWith(line)),
          text,
        );
      }
      await as('ann', 'workspaces_delete', { workspace_id: id });
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
      await rejects(first().use('members_accept', args, { caller: confined }), 'NOT_FOUND');
      const seen = await first().use<{ items: Invited[] }>(
        'members_list_invitations',
        {},
        { caller: confined },
      );
      assert.deepEqual(seen.items, []);
      const answers = await Promise.all(
        [first(), second(), first(), second()].map((on) => accept('bob', invited, on)),
      );
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
  });
});

// SQLite has one writer: its calls cannot meet.
onDatabase('postgresql', (fresh) => {
  describe('an invitation that is accepted', () => {
    const { as, list, invite, accept, workspace, first } = memberSuite(fresh);

    /** Bob accepts while somebody waits behind him. */
    async function before(id: string, other: (membershipId: string) => Promise<unknown>) {
      const invited = await invite(id, 'bob@example.org', 'admin');
      const [accepted, later] = await behindLock<unknown>(
        first().database,
        (sql) => sql('pending_memberships').where({ id: invited.id }).forUpdate().first('id'),
        [() => accept('bob', invited), () => other(invited.id)],
      );
      assert.equal(accepted?.status, 'fulfilled');
      return later as PromiseSettledResult<unknown>; // of the second call
    }

    it('is not told as changed or withdrawn', async () => {
      for (const [tool, more] of [
        ['members_update', { role: 'viewer' }],
        ['members_remove', {}],
      ] as const) {
        const id = await workspace();
        const later = await before(id, (user_id) => as('ann', tool, { workspace_id: id, user_id, ...more }));
        assert.ok(later.status === 'rejected', tool);
        await rejects(Promise.reject(later.reason as Error), 'NOT_FOUND', /members_list/);
        const members = await list(id, 'ann');
        assert.deepEqual(
          members.map(({ role, status }) => [role, status]),
          [
            ['owner', 'accepted'],
            ['admin', 'accepted'],
          ],
        );
      }
    });

    it('leaves no membership behind in a workspace that is deleted meanwhile', async () => {
      const id = await workspace();
      const later = await before(id, () => as('ann', 'workspaces_delete', { workspace_id: id }));
      assert.equal(later.status, 'fulfilled');
      assert.deepEqual(await first().database.sql('memberships').where({ workspace_id: id }), []);
    });
  });

  describe('a member who is removed or demoted', () => {
    const { as, list, role, remove, workspace, first } = memberSuite(fresh);

    /** The outcomes of calls of bob's that wait for a change of their role. */
    async function behind(id: string, change: () => Promise<unknown>, calls: Array<() => Promise<unknown>>) {
      const lock = (sql: Sql) => sql('workspaces').where({ id }).forUpdate().first('id');
      const [changed, ...later] = await behindLock(first().database, lock, [change, ...calls]);
      assert.equal(changed?.status, 'fulfilled');
      return later.map((one) => (one.status === 'rejected' ? (one.reason as ServiceError).code : 'done'));
    }

    it('makes no member by calls that were under way', async () => {
      const id = await workspace({ bob: 'admin', cid: 'viewer' });
      const promote = { workspace_id: id, user_id: people.cid.userId, role: 'admin' };
      const calls = [
        () => as('bob', 'members_add', { workspace_id: id, email: 'dot@example.org', role: 'admin' }),
        () => as('bob', 'members_update', promote),
        () => remove('cid', id, 'bob'),
      ];
      const demoted = await behind(id, () => role('bob', id, 'ann', 'member'), calls);
      assert.deepEqual(demoted, ['PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED']);
      await role('bob', id, 'ann', 'admin');
      const removed = await behind(id, () => remove('bob', id, 'ann'), calls);
      assert.deepEqual(removed, ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
      assert.deepEqual(
        (await list(id, 'ann')).map((one) => one.role),
        ['owner', 'viewer'],
      );
    });

    it('may still leave', async () => {
      const id = await workspace({ bob: 'admin' });
      const left = await behind(id, () => role('bob', id, 'ann', 'viewer'), [() => remove('bob', id, 'bob')]);
      assert.deepEqual(left, ['done']);
    });

    it('does not delete the workspace', async () => {
      const id = await workspace({ bob: 'owner' });
      const calls = [() => as('bob', 'workspaces_delete', { workspace_id: id })];
      assert.deepEqual(await behind(id, () => role('bob', id, 'ann', 'admin'), calls), ['PERMISSION_DENIED']);
      await role('bob', id, 'ann', 'owner');
      assert.deepEqual(await behind(id, () => remove('bob', id, 'ann'), calls), ['NOT_FOUND']);
      assert.equal((await list(id, 'ann')).length, 1);
    });
  });
});
