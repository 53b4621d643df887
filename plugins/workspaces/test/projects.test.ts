import assert from 'node:assert/strict';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

interface Id {
  id: string;
}

eachDatabase((fresh) => {
  describe('fields and filters of projects', () => {
    let host: TestHost;
    before(async () => {
      host = await testHost({ plugins: [workspaces], database: await fresh() });
      await host.use('workspaces_create', { name: 'team' });
    });
    after(() => host.stop());

    const use = <T>(...args: Parameters<TestHost['use']>) => host.use<T>(...args);

    it('takes the description and the address of a repository away by an empty text', async () => {
      type Described = Id & { description: string; repository_url: string | null };
      const repository_url = 'https://example.org/p.git';
      const made = await use<Described>('projects_create', {
        name: 'described',
        description: 'd',
        repository_url,
      });
      assert.equal(made.repository_url, repository_url);
      const cleared = { description: '', repository_url: '' };
      const emptied = await use<Described>('projects_update', { project_id: made.id, ...cleared });
      assert.deepEqual([emptied.description, emptied.repository_url], ['', null]);
      await host.use('projects_delete', { project_id: made.id });
      const without = await use<Described>('projects_create', { name: 'described', ...cleared });
      assert.equal(without.repository_url, null);
      await host.use('projects_delete', { project_id: without.id });
    });

    it('filters by the states of indexing as memory lists do, all and completed included', async () => {
      const { id: project_id } = await use<Id>('projects_create', { name: 'filtered' });
      const files = ['done', 'failed'].map((path) => ({ path, content: path }));
      await host.use('files_ingest', { project_id, files });
      await host.database.sql('files').where({ path: 'failed' }).update({ indexing_status: 'failed' });
      const list = async (more: object) => {
        const page = await use<{ items: Array<{ path: string }> }>('files_list', { project_id, ...more });
        return page.items.map(({ path }) => path);
      };
      for (const [indexing_status, paths] of Object.entries({
        all: ['done', 'failed'],
        pending: [],
        indexed: ['done'],
        completed: ['done'],
        failed: ['failed'],
      }))
        assert.deepEqual(await list({ indexing_status }), paths, indexing_status);
      assert.deepEqual(await list({}), ['done', 'failed']);
      const accepted = /must be one of all, pending, indexed, completed, failed/;
      await rejects(list({ indexing_status: 'done' }), 'INVALID_ARGUMENT', accepted);
      await host.use('projects_delete', { project_id });
    });

    it('leaves no project behind in a workspace that is deleted meanwhile', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id: workspace_id } = await use<Id>('workspaces_create', { name: 'gone' });
        const [deleted, ...made] = await Promise.allSettled([
          host.use('workspaces_delete', { workspace_id }),
          ...['a', 'b'].map((name) => host.use('projects_create', { workspace_id, name })),
        ]);
        assert.equal(deleted?.status, 'fulfilled');
        for (const each of made)
          if (each.status === 'rejected')
            await rejects(Promise.reject(each.reason as Error), 'NOT_FOUND', /may see/);
        assert.deepEqual(await host.database.sql('projects').where({ workspace_id }), []);
      }
    });

    it('gives a name to one of several projects that take it at the same moment', async () => {
      for (let round = 0; round < 3; round += 1) {
        const made = await Promise.all(['a', 'b', 'c'].map((name) => use<Id>('projects_create', { name })));
        const outcomes = await Promise.allSettled([
          ...made.map(({ id }) => host.use('projects_update', { project_id: id, name: 'same' })),
          host.use('projects_create', { name: 'same' }),
        ]);
        const refused = outcomes.flatMap((each) =>
          each.status === 'rejected' ? [each.reason as Error] : [],
        );
        assert.equal(refused.length, 3);
        for (const error of refused)
          await rejects(Promise.reject(error), 'CONFLICT', /has a project named "same"/);
        const { items } = await use<{ items: Id[] }>('projects_list');
        for (const { id } of items) await host.use('projects_delete', { project_id: id });
      }
    });
  });
});
