import assert from 'node:assert/strict';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { inNewWorkspaces, indexed, storeEvent, tick, type Made } from './start-memory.js';

eachDatabase((fresh) => {
  describe('open tasks', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

    const task = async (title: string, fields: object = {}) => {
      await tick();
      await storeEvent(host, { workspace_id, event_type: 'task', title, content: 'To be done.', ...fields });
    };
    const done = (title: string, fields: object = {}) => task(title, { tags: ['done'], ...fields });
    const found = async (query: string, fields: object = {}) => {
      await indexed(host, workspace_id);
      const asked = { workspace_id, query, ...fields };
      const { results } = await host.use<{ results: Made[] }>('memory_search', asked);
      return results.map(({ title }) => title).sort();
    };

    it('are those without the tag done, and without a later event of their title that has it', async () => {
      await task('Measure');
      await done('Rename');
      await task('Clean');
      await done('Clean');
      assert.deepEqual(await found('open tasks'), ['Measure']);
      assert.deepEqual(await found('welche offenen Aufgaben gibt es'), ['Measure']);
      assert.deepEqual(await found('open tasks of this year'), ['Measure']);
      assert.equal((await found('tasks')).length, 4);
      await task('Clean');
      assert.deepEqual(await found('open tasks'), ['Clean', 'Measure'], 'it came again');
    });

    it('are closed by an event that was stored after them, whenever either happens', async () => {
      await task('Renew', { occurred_at: '2999-01-01' });
      await task('Report');
      assert.deepEqual(await found('open tasks', { as_of: new Date().toISOString() }), ['Report']);
      await done('Renew');
      await done('Report', { occurred_at: '2026-01-01' });
      assert.deepEqual(await found('open tasks'), []);
    });

    it('are closed in their own project', async () => {
      const make = async (name: string) =>
        (await host.use<{ id: string }>('projects_create', { workspace_id, name })).id;
      const [a, b] = [await make('A'), await make('B')];
      for (const project_id of [a, b]) await task('Upgrade', { project_id });
      await done('Upgrade', { project_id: a });
      assert.deepEqual(await found('open tasks', { project_id: b }), ['Upgrade']);
      assert.deepEqual(await found('open tasks', { project_id: a }), []);
      await done('Upgrade', { event_type: 'note' });
      assert.deepEqual(await found('open tasks', { project_id: b }), []);
    });
  });
});
