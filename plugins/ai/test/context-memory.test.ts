import assert from 'node:assert/strict';
import { LOCAL_OWNER, contribute, definePlugin } from '@service-mcp/core';
import { callerWith, onDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { OverviewPart } from '@service-mcp/plugin-workspaces/contract';
import { PLUGINS } from './support/filled-workspace.js';
import type { Answer } from './support/uploads.js';

/** Another plugin with decisions, which callers need a scope of its own for. */
const reviews = definePlugin({
  id: 'reviews',
  description: 'Decisions of reviews.',
  api: '^1',
  requires: ['workspaces'],
  services: [
    contribute(OverviewPart, {
      uses: {},
      create: () => ({
        scope: 'reviews:read',
        read: async () => ({ recentDecisions: [{ id: 'r1', title: 'Reviewed by two' }] }),
      }),
    }),
  ],
});

onDatabase('sqlite', (fresh) => {
  describe('memory in a context, before it is indexed', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await testHost({ plugins: [...PLUGINS, reviews], database: await fresh(), workers: false });
    });
    after(() => host.stop());
    beforeEach(async () => {
      ({ id: workspace_id } = await host.use<{ id: string }>('workspaces_create', { name: 'Team' }));
    });

    const ask = (query: string) => host.use<Answer>('context', { workspace_id, query });

    it('has a decision that was stored a moment ago', async () => {
      const stored = { workspace_id, node_type: 'decision', title: 'Retries', content: 'Three.' };
      const { id } = await host.use<{ id: string }>('memory_create_node', stored);
      const { sections } = await ask('how many retries');
      assert.deepEqual(
        sections.map((section) => [section.kind, section.id]),
        [['decision', id]],
      );
    });

    it('has the decisions where a query asks for nothing else', async () => {
      const stored = { workspace_id, node_type: 'decision', title: 'Retries', content: 'Three.' };
      await host.use('memory_create_node', stored);
      await host.use('memory_create_event', {
        workspace_id,
        event_type: 'note',
        title: 'Decals',
        content: 'Red.',
      });
      const { sections } = await ask('what did we decide');
      assert.deepEqual([sections[0]?.kind, sections[0]?.title], ['decision', 'Retries']);
    });

    it('shows decisions of another plugin, fast, to those with its scope', async () => {
      const titlesFor = async (...scopes: readonly string[]) => {
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'memory:read', ...scopes] });
        const args = { workspace_id, query: 'reviews', mode: 'fast' };
        const { sections } = await host.use<Answer>('context', args, { as });
        return sections.map(({ title }) => title);
      };
      assert.deepEqual(await titlesFor('reviews:read'), ['Reviewed by two']);
      assert.deepEqual(await titlesFor(), []);
    });

    it('has its day, since an older decision may say something else', async () => {
      const decide = (content: string, occurred_at: string) => {
        const decision = { event_type: 'decision', title: 'Queue of jobs', content, occurred_at };
        return host.use('memory_create_event', { workspace_id, ...decision });
      };
      await decide('By rabbits.', '2026-03-10T08:00:00Z');
      await decide('In tables.', '2026-06-01T08:00:00Z');
      const { context } = await ask('queue of jobs');
      for (const [day, said] of [
        ['2026-03-10', 'By rabbits.'],
        ['2026-06-01', 'In tables.'],
      ])
        assert.match(context, new RegExp(`^### decision of ${day}: Queue of jobs \\[.*\\]\\n${said}`, 'm'));
    });
  });
});
