import assert from 'node:assert/strict';
import { behindLock, eachDatabase, onDatabase, rejects } from '@service-mcp/core/testing';
import { startInviting, type InvitingHost } from './start-inviting.js';
import { bearer, codeOf, operator } from './support.js';

interface Page<T> {
  items: T[];
  total: number;
}

eachDatabase((fresh) => {
  describe('invitations to a workspace and their memberships', () => {
    let host: InvitingHost['host'];
    let admin: InvitingHost['admin'];
    let workspace_id: string;
    let invite: InvitingHost['invite'];
    let join: InvitingHost['join'];
    before(async () => {
      ({ host, admin, workspace_id, invite, join } = await startInviting(await fresh()));
    });
    after(() => host.stop());

    it('hold as the list of members says', async () => {
      const waiting = async (email: string) => {
        const { token } = await invite(admin, { email, workspace_id, role: 'admin' });
        const members = await host.as<Page<{ id: string; email: string }>>(bearer(admin), 'members_list', {
          workspace_id,
        });
        const found = members.items.find((member) => member.email === email);
        assert.ok(found);
        return { token, member: { workspace_id, user_id: found.id } };
      };
      const removed = await waiting('removed@example.com');
      await host.as(bearer(admin), 'members_remove', removed.member);
      const withdrawn = host.register('removed@example.com', { invitation: removed.token });
      await rejects(withdrawn, 'INVALID_ARGUMENT', /ask for a new one/);
      const demoted = await waiting('demoted@example.com');
      await host.as(bearer(admin), 'members_update', { ...demoted.member, role: 'viewer' });
      const viewer = await host.register('demoted@example.com', { invitation: demoted.token });
      const own = await host.as<Page<{ id: string; role: string }>>(bearer(viewer), 'workspaces_list');
      assert.deepEqual(
        own.items.map(({ id, role }) => [id, role]),
        [[workspace_id, 'viewer']],
      );
    });

    it('follow a change of the offered role, for which its author answers from then on', async () => {
      const maker = await join('first@example.com', 'admin');
      const offer = async (email: string) => {
        const { token } = await invite(maker, { email, workspace_id, role: 'member' });
        const members = await host.as<Page<{ id: string; email: string }>>(bearer(admin), 'members_list', {
          workspace_id,
          per_page: 100,
        });
        const user_id = members.items.find((member) => member.email === email)?.id;
        return { token, member: { workspace_id, user_id } };
      };
      const listed = async (email: string) => {
        const all = await host.as<Page<{ email: string; role: string; invited_by: string }>>(
          bearer(admin),
          'auth_list_invitations',
          { workspace_id, per_page: 100 },
        );
        return all.items.filter((one) => one.email === email).map((one) => [one.role, one.invited_by]);
      };
      const raised = await offer('raised@example.com');
      const lowered = await offer('lowered@example.com');
      await host.as(bearer(admin), 'members_update', { ...raised.member, role: 'owner' });
      assert.deepEqual(await listed('raised@example.com'), [['owner', admin.user.id]]);
      await host.as(bearer(admin), 'members_update', { ...lowered.member, role: 'member' });
      assert.deepEqual(await listed('lowered@example.com'), [['member', maker.user.id]], 'nothing changed');
      await host.use('members_update', { ...lowered.member, role: 'viewer' }, operator);
      await host.as(bearer(admin), 'members_remove', { workspace_id, user_id: maker.user.id });
      for (const [email, { token }, role] of [
        ['raised@example.com', raised, 'owner'],
        ['lowered@example.com', lowered, 'viewer'],
      ] as const) {
        const joined = await host.register(email, { invitation: token });
        const me = await host.as<{ workspaces: Array<{ role: string }> }>(bearer(joined), 'auth_me');
        assert.deepEqual(
          me.workspaces.map((one) => one.role),
          [role],
        );
        if (role === 'owner')
          await host.as(bearer(admin), 'members_remove', { workspace_id, user_id: joined.user.id });
      }
    });

    it('are listed as accepted, or not at all, once their membership was decided without the token', async () => {
      const listed = async (email: string) => {
        const all = await host.as<Page<{ email: string; accepted_at: string | null }>>(
          bearer(admin),
          'auth_list_invitations',
          { workspace_id, per_page: 100 },
        );
        const found = all.items.filter((one) => one.email === email);
        return found.map(({ accepted_at }) => (accepted_at === null ? 'open' : 'accepted'));
      };
      const decide = async (email: string, tool: string) => {
        const { token } = await invite(admin, { email });
        const person = await host.register(email, { invitation: token });
        const made = await invite(admin, { email, workspace_id, role: 'viewer' });
        const mine = await host.as<Page<{ id: string }>>(bearer(person), 'members_list_invitations');
        await host.as(bearer(person), tool, { membership_id: mine.items[0]?.id });
        return { invitation_id: made.id };
      };
      const accepted = await decide('accepts@example.com', 'members_accept');
      assert.deepEqual(await listed('accepts@example.com'), ['accepted']);
      const revoked = host.as(bearer(admin), 'auth_revoke_invitation', accepted);
      await rejects(revoked, 'CONFLICT', /already accepted/);
      await decide('declines@example.com', 'members_decline');
      assert.deepEqual(await listed('declines@example.com'), []);
      assert.deepEqual(await listed('removed@example.com'), [], 'ended by members_remove');
      const maker = await join('leaves@example.com', 'owner');
      await invite(maker, { email: 'heir@example.com', workspace_id, role: 'owner' });
      await invite(maker, { email: 'left@example.com', workspace_id, role: 'viewer' });
      const member = { workspace_id, user_id: maker.user.id };
      await host.as(bearer(admin), 'members_update', { ...member, role: 'admin' });
      assert.deepEqual(await listed('heir@example.com'), [], 'an admin makes no owner');
      assert.deepEqual(await listed('left@example.com'), ['open']);
      await host.as(bearer(admin), 'members_remove', member);
      assert.deepEqual(await listed('left@example.com'), [], 'its maker left');
    });

    it('end at the same time', async () => {
      const { token } = await invite(admin, { email: 'late@example.com' });
      const person = await host.register('late@example.com', { invitation: token });
      const to = { email: 'late@example.com', workspace_id, role: 'admin' };
      const { expires_at } = await host.as(bearer(admin), 'auth_invite', to);
      const waiting = async () => {
        const { items } = await host.as<Page<{ id: string }>>(bearer(person), 'members_list_invitations');
        return items;
      };
      const [offer] = await waiting();
      const rows = host.database.sql('pending_memberships').where({ email: to.email });
      assert.deepEqual(await rows.clone().select('expires_at'), [{ expires_at }]);
      await rows.clone().update({ expires_at: new Date(0).toISOString() });
      assert.deepEqual(await waiting(), []);
      const accepted = (id?: string) => host.as(bearer(person), 'members_accept', { membership_id: id });
      await rejects(accepted(offer?.id), 'NOT_FOUND', /members_list_invitations/);
      const shown = { workspace_id, user_id: offer?.id };
      await rejects(host.as(bearer(admin), 'members_get', shown), 'NOT_FOUND', /members_list/);
      const again = await host.as<{ id: string }>(bearer(admin), 'members_add', { ...to, role: 'viewer' });
      assert.notEqual(again.id, offer?.id);
      assert.equal((await accepted(again.id))['role'], 'viewer');
    });
  });
});

// SQLite has one writer: its calls cannot meet.
onDatabase('postgresql', (fresh) => {
  describe('an invitation to a workspace', () => {
    let inviting: InvitingHost;
    before(async () => {
      inviting = await startInviting(await fresh());
    });
    after(() => inviting.host.stop());

    it('is not made by a call that was under way when its author was demoted or removed', async () => {
      const { host, admin, workspace_id, invite, join } = inviting;
      const maker = await join('maker@example.com', 'owner');
      const behind = async (tool: string, more: object, role: string) => {
        const [changed, invited] = await behindLock<unknown>(
          host.database,
          (sql) => sql('workspaces').where({ id: workspace_id }).forUpdate().first('id'),
          [
            () => host.as(bearer(admin), tool, { workspace_id, user_id: maker.user.id, ...more }),
            () => invite(maker, { email: 'friend@example.com', workspace_id, role }),
          ],
        );
        assert.equal(changed?.status, 'fulfilled');
        return invited?.status === 'rejected' ? codeOf(invited.reason) : 'made';
      };
      assert.equal(await behind('members_update', { role: 'admin' }, 'owner'), 'PERMISSION_DENIED');
      assert.equal(await behind('members_remove', {}, 'admin'), 'NOT_FOUND');
      const left = await host.database.sql('pending_memberships').where({ email: 'friend@example.com' });
      assert.deepEqual(left, []);
    });
  });
});
