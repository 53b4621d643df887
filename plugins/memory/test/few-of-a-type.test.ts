import assert from 'node:assert/strict';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { createNode, indexed, inNewWorkspaces, storeEvent, type Made } from './start-memory.js';
import { importLines } from './transfer.js';

eachDatabase((fresh) => {
  describe('few records of a type among many others on their subject', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

    it('are found by the list of decisions and by a search for their type', async () => {
      const notes = Array.from({ length: 400 }, (_, n) => ({
        record: 'event',
        id: `note-${n}`,
        event_type: 'note',
        title: `Deploy ${n}`,
        content: `Deploy of the shop, deploy number ${n}.`,
      }));
      await importLines(host, { workspace_id }, notes);
      const long = 'since support is thin during the holidays, and going back would wake people who sleep';
      await createNode(host, {
        workspace_id,
        node_type: 'decision',
        title: 'Freeze',
        content: `From December on nobody starts a deploy of anything that customers see, ${long}.`,
      });
      await storeEvent(host, {
        workspace_id,
        event_type: 'decision',
        title: 'Approval',
        content: `Two people look at every deploy before it starts, however small it seems, ${long}.`,
      });
      await indexed(host, workspace_id);
      const titles = (found: readonly Pick<Made, 'title'>[]) => found.map(({ title }) => title).sort();
      const { items } = await host.use<{ items: Made[] }>('memory_decisions', {
        workspace_id,
        query: 'deploy',
      });
      assert.deepEqual(titles(items), ['Approval', 'Freeze']);
      const types = { event_types: ['decision'], node_types: ['decision'] };
      const asked = { workspace_id, query: 'deploy', ...types };
      const { results } = await host.use<{ results: Made[] }>('memory_search', asked);
      assert.deepEqual(titles(results), ['Approval', 'Freeze']);
      const nodes = await host.use<{ results: Made[] }>('memory_search', { ...asked, kinds: ['node'] });
      assert.deepEqual(titles(nodes.results), ['Freeze']);
    });
  });
});
