import assert from 'node:assert/strict';
import { LOCAL_OWNER, type Caller } from '@service-mcp/core';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import { startInviting, type Invitation, type InvitingHost } from './start-inviting.js';
import { atOnce, bearer, codeOf, operator, withKey, type Login } from './support.js';

interface Page<T> {
  items: T[];
  total: number;
}

eachDatabase((fresh) => {
  describe('invitations', () => {
    let host: InvitingHost['host'];
    let admin: InvitingHost['admin'];
    let workspace_id: string;
    let invite: InvitingHost['invite'];
    let join: InvitingHost['join'];
    before(async () => {
      ({ host, admin, workspace_id, invite, join } = await startInviting(await fresh()));
    });
    after(() => host.stop());

    it('of the operator, who needs no account, lead to a page and register one person', async () => {
      const made = await host.use('auth_invite', { email: 'zoe@example.com' }, operator);
      const { token, link } = made as { token: string; link: string };
      assert.ok(link.endsWith(`/oauth/register?invitation=${token}`), link);
      await host.register('zoe@example.com', { invitation: token });
      await rejects(host.register('zoe2@example.com', { invitation: token }), 'INVALID_ARGUMENT');
    });

    const upgrade = async () => {
      const step = auth.migrations.find(({ id }) => id === '005_operator_invitations');
      await step?.up(host.database.sql, host.database.engine);
    };

    it('of the operator hold after an upgrade, before which they had the id of the local owner', async () => {
      const { token: invitation } = await host.use<Invitation>(
        'auth_invite',
        { email: 'old@example.com' },
        operator,
      );
      const rows = host.database.sql('invitations').where({ email: 'old@example.com' });
      await rows.update({ invited_by: LOCAL_OWNER.userId });
      await upgrade();
      await host.register('old@example.com', { invitation });
    });

    it('of the operator hold whatever becomes of the account of the local owner', async () => {
      const { userId: id } = LOCAL_OWNER;
      const now = new Date().toISOString();
      const owner = { id, email: 'owner@localhost', name: 'Local owner', administrator: 0 };
      const users = host.database.sql('users');
      await users.insert({ ...owner, password_hash: null, created_at: now, disabled_at: now });
      const asked = (tool: string, args: object) => host.use<Record<string, string>>(tool, args, operator);
      const anywhere = await asked('auth_invite', { email: 'yan@example.com' });
      assert.equal(anywhere['invited_by'], '');
      const yan = await host.register('yan@example.com', { invitation: anywhere['token'] });
      await asked('members_add', { workspace_id, email: 'yan@example.com', role: 'viewer' });
      const found = await host.as<Page<{ id: string; invited_by: string }>>(
        bearer(yan),
        'members_list_invitations',
      );
      assert.deepEqual(
        found.items.map((one) => one.invited_by),
        [''],
      );
      await host.as(bearer(yan), 'members_accept', { membership_id: found.items[0]?.id });
      const to = { email: 'xia@example.com', workspace_id, role: 'owner' };
      const { token: invitation } = await asked('auth_invite', to);
      await host.register('xia@example.com', { invitation });
      // The account itself answers for what it offers, as every other one.
      const key = { userId: id, kind: 'session', name: 'Local owner', scopes: ['*'], administrator: true };
      const own = await host.use<Invitation>(
        'auth_invite',
        { email: 'wim@example.com' },
        { caller: key as Caller, surface: 'rest' },
      );
      await upgrade();
      await rejects(
        host.register('wim@example.com', { invitation: own.token }),
        'INVALID_ARGUMENT',
        /no longer/,
      );
    });

    it('admit one person, once, and add a membership', async () => {
      await rejects(host.register('ann@example.com'), 'PERMISSION_DENIED', /invitation/);
      const made = await invite(admin, { email: 'Ann@Example.com', workspace_id, role: 'admin' });
      assert.deepEqual([made.workspace_id, made.role], [workspace_id, 'admin']);
      await rejects(
        host.register('eve@example.com', { invitation: made.token }),
        'INVALID_ARGUMENT',
        /another address/,
      );
      await rejects(
        host.register('ann@example.com', { invitation: 'svc_in_x' }),
        'INVALID_ARGUMENT',
        /invitation/,
      );
      const { won, lost } = await atOnce(5, () =>
        host.register('ann@example.com', { invitation: made.token }),
      );
      assert.equal(won.length, 1);
      assert.ok(lost.every((error) => ['CONFLICT', 'INVALID_ARGUMENT'].includes(codeOf(error))));
      const me = await host.as<{ workspaces: object[] }>(bearer(won[0] as Login), 'auth_me');
      assert.deepEqual(me.workspaces, [{ id: workspace_id, name: 'W', role: 'admin' }]);
      await rejects(
        host.as(bearer(admin), 'auth_revoke_invitation', { invitation_id: made.id }),
        'CONFLICT',
        /accepted/,
      );
    });

    it('end by revocation, expiry and replacement', async () => {
      const first = await invite(admin, { email: 'bob@example.com' });
      const second = await invite(admin, { email: 'bob@example.com' });
      await rejects(host.register('bob@example.com', { invitation: first.token }), 'INVALID_ARGUMENT');
      await host.database
        .sql('invitations')
        .where({ id: second.id })
        .update({ expires_at: new Date(0).toISOString() });
      await rejects(host.register('bob@example.com', { invitation: second.token }), 'INVALID_ARGUMENT');
      const third = await invite(admin, { email: 'bob@example.com' });
      assert.deepEqual(await host.as(bearer(admin), 'auth_revoke_invitation', { invitation_id: third.id }), {
        id: third.id,
        revoked: true,
      });
      await rejects(host.register('bob@example.com', { invitation: third.token }), 'INVALID_ARGUMENT');
    });

    it('are created by admins only, up to their own role', async () => {
      const workspaceAdmin = await join('wadmin@example.com', 'admin');
      const member = await join('member@example.com', 'member');
      await rejects(invite(member, { email: 'x@example.com', workspace_id }), 'PERMISSION_DENIED', /admin/);
      await rejects(invite(member, { email: 'x@example.com' }), 'PERMISSION_DENIED', /administrators/);
      await rejects(
        invite(workspaceAdmin, { email: 'x@example.com' }),
        'PERMISSION_DENIED',
        /administrators/,
      );
      await rejects(
        invite(workspaceAdmin, { email: 'x@example.com', workspace_id, role: 'owner' }),
        'PERMISSION_DENIED',
        /above your own/,
      );
      await invite(workspaceAdmin, { email: 'y@example.com', workspace_id, role: 'admin' });
      await rejects(
        invite(admin, { email: 'x@example.com', role: 'admin' }),
        'INVALID_ARGUMENT',
        /workspace_id/,
      );
      await rejects(invite(admin, { email: 'member@example.com', workspace_id }), 'CONFLICT', /already/);
      const foreign = '01990000-0000-7000-8000-000000000000';
      await rejects(invite(admin, { email: 'x@example.com', workspace_id: foreign }), 'NOT_FOUND');

      const deploymentWide = await invite(admin, { email: 'z@example.com' });
      const revoke = { invitation_id: deploymentWide.id };
      await rejects(host.as(bearer(workspaceAdmin), 'auth_revoke_invitation', revoke), 'NOT_FOUND');
      const all = await host.as<Page<object>>(bearer(admin), 'auth_list_invitations');
      const ours = await host.as<Page<Invitation>>(bearer(workspaceAdmin), 'auth_list_invitations', {
        workspace_id,
      });
      assert.ok(all.total > ours.total);
      assert.ok(
        ours.items.every(
          (one) => one.workspace_id === workspace_id && !('token' in one) && !('digest' in one),
        ),
      );
      await rejects(host.as(bearer(member), 'auth_list_invitations', { workspace_id }), 'PERMISSION_DENIED');
    });

    it('to a workspace are answered alike whether the address has an account or not, and wait for their person', async () => {
      const stranger = await invite(admin, { email: 'stranger@example.com' });
      const known = await host.register('stranger@example.com', { invitation: stranger.token });
      const mine = async () => {
        const found = await host.as<Page<{ id: string; workspace: { id: string } }>>(
          bearer(known),
          'members_list_invitations',
        );
        return found.items.filter((one) => one.workspace.id === workspace_id);
      };
      const shape = ({
        id: _id,
        token: _token,
        link: _link,
        email: _email,
        created_at: _at,
        expires_at: _end,
        ...rest
      }: object & Record<string, unknown>) => rest;
      const toKnown = await invite(admin, { email: 'stranger@example.com', workspace_id, role: 'viewer' });
      const toUnknown = await invite(admin, { email: 'nobody@example.com', workspace_id, role: 'viewer' });
      assert.deepEqual(shape({ ...toKnown }), shape({ ...toUnknown }));
      await host.as(bearer(admin), 'auth_revoke_invitation', { invitation_id: toKnown.id });
      assert.deepEqual(await mine(), [], 'revoking withdraws the membership too');
      await invite(admin, { email: 'stranger@example.com', workspace_id, role: 'viewer' });
      const [waiting, ...more] = await mine();
      assert.equal(more.length, 0);
      await host.as(bearer(known), 'members_accept', { membership_id: waiting?.id });
      const own = await host.as<Page<{ id: string }>>(bearer(known), 'workspaces_list');
      assert.deepEqual(
        own.items.map((one) => one.id),
        [workspace_id],
      );
      // With the token, registering is the consent; nothing waits after it.
      const joined = await host.register('nobody@example.com', { invitation: toUnknown.token });
      const left = await host.as<Page<object>>(bearer(joined), 'members_list_invitations');
      assert.equal(left.total, 0);
    });

    it('end with the permissions of their creator', async () => {
      const maker = await join('maker@example.com', 'owner');
      const asOwner = await invite(maker, { email: 'second@example.com', workspace_id, role: 'owner' });
      const member = { workspace_id, user_id: maker.user.id };
      const tried = () => host.register('second@example.com', { invitation: asOwner.token });
      await host.as(bearer(admin), 'members_update', { ...member, role: 'admin' });
      await rejects(tried(), 'INVALID_ARGUMENT', /ask for a new one/);
      await host.as(bearer(admin), 'members_remove', member);
      const { id: membership_id } = await host.as(bearer(admin), 'members_add', {
        workspace_id,
        email: 'maker@example.com',
        role: 'owner',
      });
      await host.as(bearer(maker), 'members_accept', { membership_id });
      await rejects(tried(), 'INVALID_ARGUMENT', /ask for a new one/); // left with its maker
      const again = await invite(maker, { email: 'second@example.com', workspace_id, role: 'owner' });
      const triedAgain = () => host.register('second@example.com', { invitation: again.token });
      await host.use('auth_disable_account', { email: 'maker@example.com' }, operator);
      await rejects(triedAgain(), 'INVALID_ARGUMENT', /no longer/);
      await host.use('auth_enable_account', { email: 'maker@example.com' }, operator);
      await triedAgain();

      const anywhere = await invite(admin, { email: 'third@example.com' });
      const asAdministrator = (administrator: boolean) =>
        host.use('auth_set_administrator', { email: 'admin@example.com', administrator }, operator);
      await asAdministrator(false);
      await rejects(
        host.register('third@example.com', { invitation: anywhere.token }),
        'INVALID_ARGUMENT',
        /no longer/,
      );
      await asAdministrator(true);
      await host.register('third@example.com', { invitation: anywhere.token });
    });

    it('to become an owner are replaced and revoked by owners alone', async () => {
      const chief = await join('chief@example.com', 'admin');
      const offer = await invite(admin, { email: 'heir@example.com', workspace_id, role: 'owner' });
      const lower = { email: 'heir@example.com', workspace_id, role: 'viewer' };
      await rejects(invite(chief, lower), 'PERMISSION_DENIED', /owner/);
      const { id: invitation_id } = offer;
      const revoke = (by: Login) => host.as(bearer(by), 'auth_revoke_invitation', { invitation_id });
      await rejects(revoke(chief), 'PERMISSION_DENIED', /owner/);
      await revoke(admin);
      await invite(chief, lower);
    });

    it('wait while the account that made them is disabled', async () => {
      const maker = await join('host@example.com', 'owner');
      const guest = await join('guest@example.com', 'viewer');
      const { id: membership_id } = await host.as(bearer(maker), 'members_add', {
        workspace_id: (await host.as(bearer(maker), 'workspaces_create', { name: 'theirs' })).id,
        email: 'guest@example.com',
        role: 'admin',
      });
      const accepted = () => host.as(bearer(guest), 'members_accept', { membership_id });
      await host.use('auth_disable_account', { email: 'host@example.com' }, operator);
      await rejects(accepted(), 'NOT_FOUND');
      await host.use('auth_enable_account', { email: 'host@example.com' }, operator);
      await accepted();
    });

    it('need sufficient scopes: a narrow or confined key of an administrator is rejected', async () => {
      const narrow = await host.makeKey(admin); // mcp:read and mcp:write do not include admin:write
      await rejects(
        host.as(withKey(narrow), 'auth_invite', { email: 'n@example.com' }),
        'PERMISSION_DENIED',
        /admin:write/,
      );
      const confined = await host.makeKey(admin, { scopes: ['*'], workspace_id });
      await rejects(
        host.as(withKey(confined), 'auth_invite', { email: 'n@example.com' }),
        'PERMISSION_DENIED',
        /confined/,
      );
    });
  });
});
