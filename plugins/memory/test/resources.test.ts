import assert from 'node:assert/strict';
import { callerWith, eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, newWorkspace, startMemory, storeEvent } from './start-memory.js';

eachDatabase((fresh) => {
  describe('resources of memory', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false });
      workspace_id = await newWorkspace(host);
    });
    after(() => host.stop());

    const read = async (uri: string, as?: ReturnType<typeof callerWith>) => {
      const [content] = await host.catalog.readResource(uri, host.call(as ? { caller: as } : {}));
      return content?.text ?? '';
    };

    it('show the decisions in force with their reasons, and one memory', async () => {
      const said = { workspace_id, title: 'Bells, not lamps', content: 'Bells, because fog hides lamps.' };
      const node = await createNode(host, { ...said, node_type: 'decision' });
      const gone = await createNode(host, {
        workspace_id,
        node_type: 'decision',
        title: 'Lamps',
        content: 'Lamps.',
      });
      await host.use('memory_supersede_node', { node_id: gone.id, superseded_by: node.id });
      const event = await storeEvent(host, {
        ...said,
        tags: ['fog'],
      });
      const decisions = await read(`service://workspaces/${workspace_id}/decisions`);
      assert.match(decisions, /## Bells, not lamps\n\n.*\n\nBells, because fog hides lamps\.\n$/);
      assert.ok(!decisions.includes('Lamps.'));
      assert.match(await read(`service://memory/${event.id}`), /note: Bells.*\nTags: fog\n\nBells, because/);
      assert.match(await read(`service://memory/${node.id}`), /decision, active.*Bells/);
    });

    it('are those of members alone', async () => {
      const { id } = await storeEvent(host, {
        workspace_id,
        title: 'x',
        content: 'a secret of the team',
      });
      const viewer = await host.member(workspace_id, 'viewer');
      assert.match(await read(`service://memory/${id}`, viewer), /secret/);
      for (const uri of [`service://memory/${id}`, `service://workspaces/${workspace_id}/decisions`])
        await rejects(read(uri, callerWith()), 'NOT_FOUND');
      await rejects(read('service://memory/00000000-0000-7000-8000-000000000000'), 'NOT_FOUND');
    });
  });
});
