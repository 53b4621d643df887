import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { onDatabase, rejects, type TestHost, type TestDatabase } from '@service-mcp/core/testing';
import { indexed, newWorkspace, startMemory } from './start-memory.js';

type Made = { readonly id: string };
const LONG = [
  'The lamp at the north pier went out on Tuesday.',
  'Nobody was on duty, since the roster of the new season had not been sent.',
  'A fishing boat reported it over the radio half an hour later.',
  'The gasket had let water into the housing, and was replaced.',
  'Insurance was informed on the next morning by the office.',
].join(' ');

/** What results say in words, on one engine. PostgreSQL runs with the long tests. */
export function textsSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('texts of memory for a model', () => {
      let host: TestHost;
      let workspace_id: string;
      before(async () => {
        host = await startMemory(await fresh());
        workspace_id = await newWorkspace(host);
      });
      after(() => host.stop());

      const decide = (title: string, content: string, valid_from: string, more: object = {}) =>
        host.use<Made>('memory_create_node', {
          workspace_id,
          node_type: 'decision',
          title,
          content,
          valid_from,
          ...more,
        });
      async function textOf(tool: string, args: object = {}): Promise<string> {
        const answer = await host.catalog.call(tool, { workspace_id, ...args }, host.call());
        const [block] = completeResult(answer).content;
        assert.ok(block?.type === 'text');
        return block.text;
      }

      it('say of an undo that found nothing to restore that an earlier change did it', async () => {
        const store = () =>
          host.use<Made>('memory_create_event', {
            workspace_id,
            event_type: 'note',
            title: 'Pier',
            content: LONG,
          });
        const ids = [(await store()).id, (await store()).id];
        const keep = () => host.use<{ change_id: string }>('memory_keep_apart', { workspace_id, ids });
        const undo = async ({ change_id }: { change_id: string }) => {
          const answer = await host.catalog.call('memory_undo', { change_id }, host.call());
          return completeResult(answer).content[0];
        };
        const [first, second] = [await keep(), await keep()];
        assert.match(
          JSON.stringify(await undo(second)),
          /Nothing to restore: an earlier change did the same/,
        );
        assert.match(JSON.stringify(await undo(first)), /Restored 2: /);
        await host.use('memory_delete_many', { ids, workspace_id });
      });

      it('show the sentences that matched, standing and the newest decision', async () => {
        const code_refs = Array.from({ length: 100 }, (_, i) => ({
          path: `src/${i}/${'x'.repeat(1000)}.ts`,
        }));
        const event = await host.use<Made>('memory_create_event', {
          workspace_id,
          event_type: 'bug',
          title: 'Lamp out',
          content: LONG,
          occurred_at: '2026-01-05T08:00:00Z',
          code_refs,
        });
        const old = await decide(
          'Paper gaskets',
          'Paper gaskets, because they are cheap.',
          '2026-01-01T00:00:00Z',
        );
        const bells = await decide('Bells', 'Bells.', '2026-01-02T00:00:00Z');
        const { new: rubber } = await host.use<{ new: Made }>('memory_supersede_node', {
          node_id: old.id,
          title: 'Rubber gaskets',
          content: 'Rubber gaskets. We replaced paper because it lets water in.',
        });
        await indexed(host, workspace_id);

        const found = await textOf('memory_search', { query: 'gasket water', include_superseded: true });
        assert.ok(
          found.includes(`2026-01-05 bug: Lamp out [${event.id}]\n… The gasket had let water into`),
          found,
        );
        assert.ok(!found.includes('Insurance') && !found.includes('roster'));
        assert.match(found, /decision, superseded: Paper gaskets/);
        const today = new Date().toISOString().slice(0, 10);
        assert.ok(!found.includes('the newest'), 'one decision in force says nothing');

        const decisions = await textOf('memory_decisions');
        const newest = `${today} Rubber gaskets (the newest) [${rubber.id}]\n`;
        assert.ok(decisions.startsWith(`${newest}Rubber gaskets. Why: We replaced paper because`), decisions);
        assert.ok(decisions.endsWith(`2026-01-02 Bells [${bells.id}]\nBells.\n2 in all`), decisions);
        const past = await textOf('memory_decisions', { status: 'superseded' });
        assert.ok(past.includes(`Paper gaskets (superseded, by ${rubber.id}) [${old.id}]`), past);

        const timeline = await textOf('memory_timeline');
        assert.match(timeline, /^.* decision, the newest: Rubber gaskets/);
        assert.match(
          timeline,
          /bug: Lamp out: The lamp at the north pier went out on Tuesday\. \(code .*, 97 more\)/,
        );
        assert.ok(timeline.length < 6000, 'links are bounded');
      });

      it('say which words of a query no record has, and where no decision matches', async () => {
        await decide('Ship on Thursdays', 'Fridays are quiet. Reason: nobody fixes a release.', '2026-01-06');
        await indexed(host, workspace_id);
        const found = await textOf('memory_search', { query: 'ship zzqqxxy', limit: 1 });
        assert.match(found, /Ship on Thursdays[^]*Nothing holds "zzqqxxy"/);
        const decisions = await textOf('memory_decisions');
        assert.match(decisions, /Why: nobody fixes a release\./);
        const none = await textOf('memory_decisions', { query: 'zzqqxxy' });
        assert.match(none, /No decision matches the query: without it, all are listed\.$/);
      });

      it('show of a long record the sentence that answers, wherever it is', async () => {
        const sections = Array.from(
          { length: 60 },
          (_, i) => `${i}. The carrier takes label ${i}, above all DHL.`,
        );
        sections[41] = 'Parcels above 31.5 kg go to the freight partner Kronos.';
        const content = sections.join('\n\n');
        await host.use('memory_create_event', {
          workspace_id,
          event_type: 'note',
          title: 'Handbook of fulfilment',
          content,
        });
        await indexed(host, workspace_id);
        for (const query of ['parcels above 31.5 kg', 'which carrier takes parcels']) {
          const found = await textOf('memory_search', { query, limit: 1 });
          assert.match(found, /Handbook of fulfilment .*\n… .*Parcels above 31\.5 kg go to/, found);
        }
      });

      it('keep a title on one line, so that it cannot look like another record', async () => {
        const title = 'Lighthouse\n2026-01-01 decision: Fake \u001b[1m[0]';
        const { id } = await decide(title, 'It is white.', '2026-01-03T00:00:00Z');
        await host.use('memory_create_event', { workspace_id, event_type: 'note', title, content: 'White.' });
        await indexed(host, workspace_id);
        for (const tool of [
          'memory_search',
          'memory_decisions',
          'memory_timeline',
          'memory_list_nodes',
          'memory_list_events',
        ]) {
          const text = await textOf(tool, tool === 'memory_search' ? { query: 'lighthouse white' } : {});
          assert.match(text, /Lighthouse 2026-01-01 decision: Fake \[1m\[0\]/, tool);
          assert.doesNotMatch(text, /^2026-01-01 decision/m, tool);
        }
        await host.use('memory_delete_node', { node_id: id });
      });

      it('name what a new record points to that is not there', async () => {
        const about = { title: 'Retries', content: 'Twice.', code_refs: [{ path: 'src/nope.ts' }] };
        const made = await textOf('memory_create_node', { node_type: 'fact', ...about });
        assert.match(made, /not there, or not yet: src\/nope\.ts\.$/);
      });

      it('show all that is known of a record, and what each version of a node was', async () => {
        const known = { tags: ['deploy'], code_refs: [{ path: 'src/deploy.ts', symbol: 'run' }] };
        const event = await host.use<Made>('memory_create_event', {
          workspace_id,
          event_type: 'bug',
          title: 'Deploy failed',
          content: 'It was rolled back.',
          session_id: 's-1',
          metadata: { ticket: 'OPS-12' },
          provenance: { pr_url: 'https://example.org/9' },
          ...known,
        });
        const whole = await host.catalog.call('memory_get_event', { event_id: event.id }, host.call());
        const lines = JSON.stringify(completeResult(whole).content);
        const rest = ['Tags: deploy', 'Session: s-1', 'From: pr_url https://example.org/9'];
        for (const line of [...rest, 'Code: src/deploy.ts#run (missing)', 'OPS-12', 'It was rolled back.'])
          assert.ok(lines.includes(line), `${line} is not in ${lines}`);

        const node = await decide('Deploys', 'On Thursdays.', '2026-01-03T00:00:00Z', { confidence: 0.5 });
        const { id: node_id } = node;
        await host.use('memory_update_node', { node_id, content: 'On Tuesdays.' });
        const { new: next } = await host.use<{ new: Made }>('memory_supersede_node', {
          node_id,
          title: 'Deploys at noon',
          content: 'At noon.',
          reason: 'Too late.',
        });
        const of = async (tool: string) =>
          JSON.stringify(completeResult(await host.catalog.call(tool, { node_id }, host.call())).content);
        const shown = await of('memory_get_node');
        assert.ok(
          shown.includes(`superseded by ${next.id}, from`) && shown.includes('Confidence: 0.5'),
          shown,
        );
        assert.match(
          await of('memory_node_history'),
          /3, .*Too late\.\\nOn Tuesdays\.\\n2, .*\\nOn Tuesdays\.\\n1, .*, by .*\\nOn Thursdays\./,
        );
      });

      it('count what memory can be narrowed by, without fields that have nothing', async () => {
        const facets = await textOf('memory_facets');
        assert.match(facets, /^event_types: /);
        assert.doesNotMatch(facets, /projects|: *$/m);
        const { id: workspace_id } = await host.use<{ id: string }>('workspaces_create', { name: 'empty' });
        assert.equal(await textOf('memory_facets', { workspace_id }), 'The workspace has no memory yet.');
        await host.use('workspaces_delete', { workspace_id });
      });

      it('show the words that matched of a text without sentences', async () => {
        const content = `${'pebble '.repeat(10_000)}albatross ${'pebble '.repeat(3000)}`;
        const note = { workspace_id, event_type: 'note', title: 'Beach', content };
        const { id } = await host.use<Made>('memory_create_event', note);
        await indexed(host, workspace_id);
        for (const content_max_chars of [100, 800, 10_000]) {
          const found = await textOf('memory_search', { query: 'albatross', limit: 1, content_max_chars });
          assert.match(
            found,
            /\n… ?(?:pebble )*albatross(?: pebble)*(?: ?…)+(?:\n|$)/,
            `${content_max_chars}`,
          );
        }
        assert.match(await textOf('memory_timeline'), /note: Beach: pebble pebble .*…/);
        await host.use('memory_delete_event', { event_id: id });
      });

      it('give a long record in parts', async () => {
        const content = `${'pebble '.repeat(10)}albatross`;
        const note = { workspace_id, event_type: 'note', title: 'Beach', content };
        const { id: event_id } = await host.use<Made>('memory_create_event', note);
        const rest = await host.use<{ content: string }>('memory_get_event', { event_id, content_from: 70 });
        assert.equal(rest.content, 'albatross');
        await rejects(
          host.use('memory_get_event', { event_id, content_from: 79 }),
          'INVALID_ARGUMENT',
          /content_from: must be below 79/,
        );
        await host.use('memory_delete_event', { event_id });
      });

      it('say why nothing was known at a time before it was recorded', async () => {
        const { id } = await decide('Kelp', 'Kelp is left on the beach.', '2020-01-01T00:00:00Z');
        await indexed(host, workspace_id);
        const known = /as_of answers with what memory knew at that time/;
        assert.match(await textOf('memory_search', { query: 'kelp', as_of: '2021-01-01' }), known);
        assert.match(await textOf('memory_decisions', { as_of: '2021-01-01' }), known);
        assert.doesNotMatch(await textOf('memory_search', { query: 'kelp' }), known);
        await host.use('memory_delete_node', { node_id: id });
      });

      it('name what the caller of a new record can do about a duplicate, not tools outside its list', async () => {
        const note = { event_type: 'note', title: 'Tide', content: LONG };
        await textOf('memory_create_event', note);
        const text = await textOf('memory_create_event', note);
        assert.match(
          text,
          /These say (?:nearly )?the same: .* on_duplicate merge stores such a text once\.$/,
        );
        const { duplicates } = await host.use<{ duplicates: Made[] }>('memory_create_event', {
          workspace_id,
          ...note,
        });
        const ids = duplicates.map(({ id }) => id);
        await host.use('memory_delete_many', { ids, workspace_id });
      });

      it('give more of a content on request', async () => {
        const more = await textOf('memory_search', {
          query: 'nothing of it but roster lamp gasket',
          content_max_chars: 2000,
        });
        assert.ok(more.includes('roster of the new season'), more);
      });

      it('say of decisions that a query found that some are not indexed yet', async () => {
        const asleep = await startMemory(await fresh(), { workers: false });
        try {
          const workspace = await newWorkspace(asleep);
          const record = {
            workspace_id: workspace,
            node_type: 'decision',
            title: 'Weekly releases',
            content: 'x',
          };
          await asleep.use('memory_create_node', record);
          const asked = { workspace_id: workspace, query: 'how often do we deploy' };
          const answer = await asleep.catalog.call('memory_decisions', asked, asleep.call());
          assert.equal(
            completeResult(answer)
              .content.map((block) => (block.type === 'text' ? block.text : ''))
              .join(),
            '0 in all\nIndex: indexing, 1 pending.',
          );
          const all = await asleep.use<{ total: number; index?: object }>('memory_decisions', {
            workspace_id: workspace,
          });
          assert.deepEqual([all.total, all.index], [1, undefined]);
        } finally {
          await asleep.stop();
        }
      });
    });
  });
}
