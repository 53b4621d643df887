import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { createNode, indexed, inNewWorkspaces, storeEvent } from './start-memory.js';

interface Hit {
  readonly title: string;
  readonly status: string;
  readonly validity: string;
}
interface Found<T> {
  readonly items: readonly T[];
  readonly results: readonly T[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

eachDatabase((fresh) => {
  describe('the validity of nodes, where no time is asked for', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

    const overview = () =>
      host.use<Record<'recent_decisions' | 'recent_events', readonly Hit[]>>('workspaces_overview', {
        workspace_id,
      });

    it('marks in any search a node that was superseded', async () => {
      const old = await createNode(host, { workspace_id, title: 'Ada feeds the walrus' });
      const next = { title: 'Bo feeds the walrus', content: 'Every morning.' };
      const { new: by } = await host.use<{ new: { id: string } }>('memory_supersede_node', {
        node_id: old.id,
        ...next,
      });
      await indexed(host, workspace_id);
      const query = { workspace_id, query: 'walrus', filters: { kinds: ['node'] } };
      const found = completeResult(await host.catalog.call('search_keyword', query, host.call()));
      const text = found.content.map((block) => ('text' in block ? block.text : '')).join();
      assert.match(text, new RegExp(`node/${old.id} .* \\(superseded by ${by.id}\\)`));
      assert.match(text, new RegExp(`node/${by.id} Bo feeds the walrus:1-1\n`));
    });

    it('tells of a past time what was decided then, although it was superseded later', async () => {
      const decision = { node_type: 'decision', title: 'Release on Thursdays', content: 'Every week.' };
      const old = await createNode(host, { workspace_id, ...decision, valid_from: '2026-01-10' });
      const next = { title: 'Release on Tuesdays', content: 'Every week.', valid_from: '2026-09-01' };
      await host.use('memory_supersede_node', { node_id: old.id, ...next });
      await indexed(host, workspace_id);
      const found = async (query: string) =>
        (await host.use<Found<Hit>>('memory_search', { workspace_id, query })).results.map(
          ({ title, status }) => `${title}, ${status}`,
        );
      assert.deepEqual(await found('what did we decide in January 2026'), [
        'Release on Thursdays, superseded',
      ]);
      assert.equal((await found('when did we release in March 2026'))[0], 'Release on Thursdays, superseded');
      assert.equal((await found('when did we release'))[0], 'Release on Tuesdays, active');
      assert.equal((await found('when did we release in October 2026'))[0], 'Release on Tuesdays, active');
      const asked = { workspace_id, since: '2026-01-01', until: '2026-01-31' };
      const answer = completeResult(await host.catalog.call('memory_decisions', asked, host.call()));
      assert.match(JSON.stringify(answer.content), /1 more of that time, superseded since/);
    });

    it('has nothing among what happened last that is still to come', async () => {
      await storeEvent(host, { workspace_id, title: 'it rained', occurred_at: inDays(-1) });
      await storeEvent(host, { workspace_id, title: 'the fair opens', occurred_at: inDays(30) });
      const { recent_events } = await overview();
      assert.deepEqual(
        recent_events.map(({ title }) => title),
        ['it rained'],
      );
    });

    it('has decisions that are events among those decided last, as the list of decisions has them', async () => {
      const decide = (title: string, occurred_at: string) =>
        storeEvent(host, { workspace_id, event_type: 'decision', title, occurred_at });
      await decide('Ship on Thursdays', inDays(-1));
      await decide('Ship on Mondays', inDays(30));
      await createNode(host, {
        workspace_id,
        node_type: 'decision',
        title: 'Ship by train',
        valid_from: inDays(-2),
      });
      const { recent_decisions } = await overview();
      const { items } = await host.use<Found<Hit>>('memory_decisions', { workspace_id });
      assert.deepEqual(
        items.map(({ title }) => title),
        recent_decisions.map(({ title }) => title),
      );
      assert.deepEqual(
        recent_decisions.map(({ title, status }) => [title, status]),
        [
          ['Ship on Thursdays', 'active'],
          ['Ship by train', 'active'],
        ],
      );
    });

    it('puts what holds first, and marks what does not hold any more or yet', async () => {
      const limit = (title: string, more: object) =>
        createNode(host, {
          workspace_id,
          node_type: 'decision',
          title,
          content: 'payments a second',
          ...more,
        });
      await limit('payments: at most 50', { valid_from: inDays(-3), valid_to: inDays(-1) });
      await limit('payments: at most 70', { valid_from: inDays(-400) });
      await limit('payments: at most 90', { valid_from: inDays(2), status: 'verified' });
      await indexed(host, workspace_id);
      const asked = { workspace_id, query: 'payments a second' };
      const { results } = await host.use<Found<Hit>>('memory_search', asked);
      assert.deepEqual([results[0]?.title, results[0]?.validity], ['payments: at most 70', 'current']);
      const others = results
        .slice(1)
        .map(({ title, status, validity }) => `${title}, ${status}, ${validity}`);
      assert.deepEqual(others.sort(), [
        'payments: at most 50, active, past',
        'payments: at most 90, verified, future',
      ]);
      const answer = await host.catalog.call('memory_search', asked, host.call());
      const text = completeResult(answer).content.map((block) => ('text' in block ? block.text : ''));
      assert.match(text.join(), /decision, no longer valid: payments: at most 50/);
      assert.match(text.join(), /decision, verified, not valid yet: payments: at most 90/);
      assert.doesNotMatch(text.join(), /the newest/);

      const decided = async (more: object = {}) =>
        (await host.use<Found<Hit>>('memory_decisions', { workspace_id, ...more })).items.map(
          ({ title }) => title,
        );
      assert.deepEqual(await decided(), ['payments: at most 70']);
      assert.deepEqual(await decided({ query: 'payments' }), ['payments: at most 70']);
      assert.deepEqual(
        await decided({ status: 'verified' }),
        ['payments: at most 90'],
        'whenever it is valid',
      );
      const { recent_decisions } = await overview();
      assert.deepEqual(
        recent_decisions.map(({ title }) => title),
        ['payments: at most 70'],
      );
    });
  });
});
