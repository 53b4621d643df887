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

    it('are found by a word for their type alone, which their texts need not hold', async () => {
      const decimal = { title: 'Amounts are decimal', content: 'Each amount is a decimal, never a float.' };
      await storeEvent(host, { workspace_id, event_type: 'note', ...decimal });
      for (const title of ['Freeze in December', 'Two people look at a deploy'])
        await createNode(host, { workspace_id, node_type: 'decision', title, content: 'So it is.' });
      await indexed(host, workspace_id);
      const search = (query: string) =>
        host.use<{ results: Made[]; warnings: string[] }>('memory_search', { workspace_id, query });
      for (const query of ['decisions', 'what did we decide']) {
        const { results, warnings } = await search(query);
        assert.deepEqual(
          results.map(({ title }) => title),
          ['Two people look at a deploy', 'Freeze in December'],
          query,
        );
        assert.doesNotMatch(warnings.join(), /Nothing holds|None was found/);
      }
      assert.match((await search('known bugs')).warnings.join(), /None was found that has the type bug\./);
      assert.doesNotMatch(
        (await search('decisions about amounts in May 2026')).warnings.join(),
        /Nothing holds/,
      );
    });
  });
});
