import assert from 'node:assert/strict';
import { onDatabase, type TestHost, type TestDatabase } from '@service-mcp/core/testing';
import { createNode, indexed, inNewWorkspaces, storeEvent, type Made } from './start-memory.js';
import { importLines } from './transfer.js';

/** Records of a rare type, on one engine: which records answer a question. PostgreSQL runs with the long tests. */
export function fewOfATypeSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('few records of a type among many others on their subject', () => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

      it('are found by the list of decisions and by a search for their type', async () => {
        // More than a search for a type looks at.
        const notes = Array.from({ length: 320 }, (_, n) => ({
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
        const bug = { event_type: 'bug', title: 'A float was stored', content: 'It lost a cent.' };
        const task = { event_type: 'task', title: 'Read the amounts again', content: 'All of them.' };
        assert.match((await search('known bugs')).warnings.join(), /None was found that has the type bug\./);
        for (const record of [bug, task]) await storeEvent(host, { workspace_id, ...record });
        await createNode(host, {
          workspace_id,
          node_type: 'risk',
          title: 'A freeze is late',
          content: 'So.',
        });
        await indexed(host, workspace_id);
        const first = async (query: string) => (await search(query)).results[0]?.title;
        assert.equal(await first('open tasks'), 'Read the amounts again');
        assert.doesNotMatch((await search('open tasks')).warnings.join(), /Nothing holds/);
        assert.equal(await first('which risks are there'), 'A freeze is late');
        assert.equal(await first('recent incidents'), 'A float was stored', 'where none is called so');
        const incident = { event_type: 'incident', title: 'Amounts were away', content: 'For an hour.' };
        await storeEvent(host, { workspace_id, ...incident });
        await storeEvent(host, { workspace_id, ...bug, title: 'A cent was lost again', content: 'Again.' });
        await indexed(host, workspace_id);
        assert.equal(await first('recent incidents'), 'Amounts were away');
        assert.equal(await first('incidents today'), 'Amounts were away');
        assert.doesNotMatch(
          (await search('decisions about amounts in May 2026')).warnings.join(),
          /Nothing holds/,
        );
      });
    });
  });
}
