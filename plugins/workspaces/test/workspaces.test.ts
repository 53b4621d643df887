import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Quotas } from '@service-mcp/core';
import { callerWith, eachDatabase, probe, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

interface Id {
  id: string;
}

eachDatabase((fresh) => {
  describe('workspaces plugin', () => {
    const found = probe({ quotas: Quotas });
    let host: TestHost;
    before(async () => {
      host = await testHost({ plugins: [workspaces, found.plugin], database: await fresh() });
    });
    after(() => host.stop());

    const use = <T>(...args: Parameters<TestHost['use']>) => host.use<T>(...args);

    it('asks for a workspace when none is given', async () => {
      await rejects(host.use('workspaces_get'), 'INVALID_ARGUMENT', /workspaces_create/);
    });

    it('makes, shows, changes and deletes a workspace', async () => {
      const made = await use<Id & { role: string }>('workspaces_create', { name: 'Team É' });
      assert.equal(made.role, 'owner');
      assert.deepEqual(await use('workspaces_get'), made, 'the only workspace is filled in');
      for (const tool of ['workspaces_delete', 'workspaces_update']) {
        await rejects(host.use(tool), 'INVALID_ARGUMENT', /workspace_id: is required/); // never guessed for a change
      }
      const changed = await use<{ name: string; description: string }>('workspaces_update', {
        workspace_id: made.id,
        description: 'ours',
      });
      assert.equal(changed.name, 'Team É');
      assert.equal(changed.description, 'ours');
      await rejects(
        host.use('workspaces_create', { name: ' \t' }),
        'INVALID_ARGUMENT',
        /name: must not be blank/,
      );
      await rejects(
        host.use('workspaces_create', { name: '' }),
        'INVALID_ARGUMENT',
        /^name: must not be empty$/,
      );
      const second = await use<Id>('workspaces_create', { name: 'Second' });
      await rejects(host.use('workspaces_get'), 'INVALID_ARGUMENT', /workspaces_list/);
      await rejects(
        host.use('workspaces_get', { workspace_id: 'Team É' }),
        'INVALID_ARGUMENT',
        /workspaces_list/,
      );
      const page = await use<{ items: Id[]; total: number; has_next: boolean }>('workspaces_list', {
        per_page: 1,
      });
      assert.deepEqual([page.items.length, page.total, page.has_next], [1, 2, true]);
      assert.deepEqual(await use('workspaces_delete', { workspace_id: second.id }), {
        id: second.id,
        deleted: true,
      });
      await rejects(host.use('workspaces_get', { workspace_id: second.id }), 'NOT_FOUND', /workspaces_list/);
      assert.equal((await use<{ total: number }>('workspaces_list')).total, 1);
    });

    it('hides a workspace and its projects from callers who are not members', async () => {
      const { items } = await use<{ items: Id[] }>('workspaces_list');
      const [{ id }] = items as [Id];
      const project = await use<Id>('projects_create', { workspace_id: id, name: 'hidden' });
      const stranger = { caller: callerWith() };
      await rejects(host.use('workspaces_get', { workspace_id: id }, stranger), 'NOT_FOUND', /may see/);
      await rejects(host.use('projects_get', { project_id: project.id }, stranger), 'NOT_FOUND', /may see/);
      assert.equal((await use<{ total: number }>('projects_list', {}, stranger)).total, 0);
      const viewer = await host.member(id, 'viewer');
      assert.equal(
        (await use<Id>('projects_get', { project_id: project.id }, { caller: viewer })).id,
        project.id,
      );
      await rejects(
        host.use('projects_delete', { project_id: project.id }, { caller: viewer }),
        'PERMISSION_DENIED',
        /viewer/,
      );
      const confined = callerWith({
        userId: viewer.userId,
        workspaceId: '01990000-0000-7000-8000-000000000000',
      });
      await rejects(
        host.use('workspaces_get', { workspace_id: id }, { caller: confined }),
        'NOT_FOUND',
        /may see/,
      );
      const unscoped = callerWith({ userId: viewer.userId, scopes: ['search:read'] });
      await rejects(
        host.use('workspaces_list', {}, { caller: unscoped }),
        'PERMISSION_DENIED',
        /workspaces:read/,
      );
    });

    it('is not deleted while records without a quota are written into it, and takes none afterwards', async () => {
      const { quotas } = found.services();
      const { id } = await use<Id>('workspaces_create', { name: 'Short' });
      const order: string[] = [];
      let deletion: Promise<unknown> | undefined;
      await host.database.transaction(async (sql) => {
        await quotas.count(sql, id, { records: 1 });
        deletion = use('workspaces_delete', { workspace_id: id }).then(() => order.push('deleted'));
        await delay(200);
        order.push('written');
      });
      await deletion;
      assert.deepEqual(order, ['written', 'deleted']);
      const late = host.database.transaction((sql) => quotas.count(sql, id, { records: 1 }));
      await rejects(late, 'NOT_FOUND', /workspaces_list/);
    });
  });
});
