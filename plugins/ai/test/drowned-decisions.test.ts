import assert from 'node:assert/strict';
import { parseLines } from '@service-mcp/core';
import { onDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { AT_REST, PLUGINS, untilIndexed } from './support/filled-workspace.js';
import type { Answer } from './support/uploads.js';

const NOTES = 200;

onDatabase('sqlite', (fresh) => {
  describe('decisions among many notes on their subject', () => {
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh() });
      ({ id: workspace_id } = await host.use<{ id: string }>('workspaces_create', { name: 'Team' }));
      const notes = Array.from({ length: NOTES }, (_, n) => ({
        record: 'event',
        id: `note-${n}`,
        event_type: 'note',
        title: `Deploy ${n} of the shop`,
        content: `Deploy ${n} of the shop went out in ${n % 50} minutes.`,
      }));
      async function* lines() {
        for (const note of notes) yield Buffer.from(`${JSON.stringify(note)}\n`);
      }
      const sent = { surface: 'rest', lines: parseLines(lines()) } as const;
      await host.use('memory_import', { workspace_id }, sent);
      const decide = (type: object, title: string, content: string) =>
        host.use<{ id: string }>('event_type' in type ? 'memory_create_event' : 'memory_create_node', {
          workspace_id,
          ...type,
          title,
          content,
        });
      const why = 'since support is thin during the holidays, and going back would wake people who sleep';
      const decision = { node_type: 'decision' };
      await decide(decision, 'Freeze', `From December on nobody starts a deploy that customers see, ${why}.`);
      await decide(
        { event_type: 'decision' },
        'Approval',
        `Two people look at every deploy of the shop before it starts, however small it seems, ${why}.`,
      );
      const old = await decide(decision, 'Fridays', `No deploy of the shop on Fridays, ${why}.`);
      const status = { node_id: old.id, status: 'disputed', reason: 'Gone.' };
      await host.use('memory_set_node_status', status);
      await untilIndexed(host, workspace_id);
    });
    after(() => host.stop());

    async function shown(query: string, max_tokens = 600) {
      const { sections } = await host.use<Answer>('context', { workspace_id, query, max_tokens });
      const titles = (kind: string) =>
        sections.filter((section) => section.kind === kind && !/recent|disputed/.test(section.reason));
      return {
        decisions: titles('decision')
          .map(({ title }) => title)
          .sort(),
        notes: titles('memory').length,
      };
    }

    it('are in a context on it, beside the best of the notes', async () => {
      for (const query of ['what is decided about a deploy of the shop', 'decisions on deploys']) {
        const { decisions, notes } = await shown(query);
        assert.deepEqual(decisions, ['Approval', 'Freeze'], query);
        assert.ok(notes > 0, query);
      }
      assert.deepEqual((await shown('how do we deploy the shop', 2000)).decisions, ['Approval', 'Freeze']);
    });

    it('are not in one on something else', async () => {
      assert.deepEqual((await shown('minutes of the shop')).decisions, ['Approval']);
      assert.deepEqual((await shown('went out in 7 minutes')).decisions, []);
    });
  });
});
