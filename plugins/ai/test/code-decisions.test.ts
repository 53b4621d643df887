import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_OWNER } from '@service-mcp/core';
import { callerWith, onDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';
import { FILES, type Answer } from './support/uploads.js';

onDatabase('sqlite', (fresh) => {
  describe('decisions about the code that a context holds', () => {
    let host: TestHost;
    let workspace_id: string;
    let ids: readonly string[];
    const node = (title: string, more: object) => ({
      node_type: 'decision',
      title,
      content: `${title}. Because of Ada.`,
      code_refs: [{ path: 'src/finish.ts', symbol: 'closeTicket' }],
      ...more,
    });
    before(async () => {
      host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh(), workers: true });
      ({ workspace_id, nodes: ids } = await fillWorkspace(host, FILES, [
        node('Receipts carry a mark', {}),
        node('Of the whole file', { code_refs: [{ path: 'src/finish.ts' }] }),
        node('Ended long ago', { valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' }),
        node('Of another symbol', { code_refs: [{ path: 'src/finish.ts', symbol: 'close' }] }),
        node('Of another file', { code_refs: [{ path: 'src/logo.ts' }] }),
      ]));
    });
    after(() => host.stop());

    const enhanced = (more: object = {}) =>
      host.use<Answer>('ai_enhanced_context', { workspace_id, query: 'stamp blue-green', ...more });

    it('has those in force with their reasons, whatever their words, before the code', async () => {
      for (const query of ['stamp blue-green', 'closeTicket', 'src/finish.ts']) {
        const { sections, context: text } = await host.use<Answer>('context', { workspace_id, query });
        assert.deepEqual(
          sections.filter(({ reason }) => reason.includes('about src/finish.ts')).map(({ id }) => id),
          [ids[1], ids[0]],
          query,
        );
        assert.equal(sections[0]?.kind, 'decision');
        assert.ok(text.includes('Receipts carry a mark. Because of Ada.'));
        for (const none of ['Ended long ago', 'another symbol', 'another file'])
          assert.ok(!text.includes(none), `${query}: ${none}`);
      }
    });

    it('names each once, also where its words are found too', async () => {
      const { sections } = await enhanced({ query: 'receipts carry a mark in closeTicket' });
      assert.equal(sections.filter(({ id }) => id === ids[0]).length, 1);
    });

    it('leaves them out for another time, without memory, and without the scope', async () => {
      const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'workspaces:read'] });
      for (const { context: text } of [
        await enhanced({ as_of: '2020-06-01T00:00:00Z' }),
        await enhanced({ include_memory: false }),
        await host.use<Answer>('context', { workspace_id, query: 'stamp blue-green' }, { as }),
      ])
        assert.ok(text.includes('src/finish.ts') && !text.includes('Receipts carry'));
    });

    it('marks one that a later decision leaves, which binds nobody', async () => {
      const decide = async (title: string, more: object) =>
        (await host.use<{ id: string }>('memory_create_node', { workspace_id, ...node(title, more) })).id;
      const old = await decide('Tickets stay in Postgres', {});
      await delay(5); // or both are of one time
      const next = await decide('Moved from Postgres to MySQL', { code_refs: [] });
      const { sections, context: text } = await enhanced();
      assert.ok(text.includes(`, perhaps replaced by ${next}: Tickets stay in Postgres`), text);
      const decisions = sections.filter(({ kind }) => kind === 'decision').map(({ id }) => id);
      assert.deepEqual(decisions, [ids[1], ids[0], old], 'the newest is the last');
    });
  });
});
