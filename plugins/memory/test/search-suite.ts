import assert from 'node:assert/strict';
import { onDatabase, probe, rejects, type TestHost, type TestDatabase } from '@service-mcp/core/testing';
import { IndexSources, type IndexSource } from '@service-mcp/plugin-search/contract';
import {
  createNode,
  indexed,
  newWorkspace,
  startMemory,
  storeEvent,
  tick,
  type Made,
  inNewWorkspaces,
} from './start-memory.js';
import { importLines } from './transfer.js';

interface Hit {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly content: string;
  readonly score: number;
  readonly status: string | null;
  readonly highlights: ReadonlyArray<{ readonly start: number; readonly end: number }>;
}
interface Found {
  readonly results: readonly Hit[];
  readonly total: number;
  readonly index: { readonly state: string };
  readonly warnings: readonly string[];
}

/** Searches of memory, on one engine: which records answer a question. PostgreSQL runs with the long tests. */
export function searchSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('memory search', () => {
      let host: TestHost;
      let workspace_id: string;
      const { plugin, services } = probe({ sources: IndexSources });
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), {
        plugins: [plugin],
        config: { search: { pattern_timeout_ms: 100 } },
      });

      const store = (content: string, more: object = {}) =>
        storeEvent(host, { workspace_id, title: content, content, ...more });
      const node = (title: string, more: object = {}) =>
        createNode(host, { workspace_id, node_type: 'decision', title, content: title, ...more });
      const find = async (query: string, more: object = {}) => {
        await indexed(host, workspace_id);
        return host.use<Found>('memory_search', { workspace_id, query, ...more });
      };
      const titles = async (query: string, more: object = {}) =>
        (await find(query, more)).results.map(({ title }) => title);

      it('keeps no texts of all records in memory for a pattern, and stops to read them when its time is up', async () => {
        await store('the fox sleeps');
        const source = services().sources.find(({ name }) => name === 'memory_events');
        assert.ok(source);
        const states = await source.statesIn(workspace_id);
        assert.deepEqual(
          Array.from(states.values(), (state) => 'text' in state),
          [false],
        );
        assert.equal((await source.statesIn(workspace_id, AbortSignal.abort())).size, 0);
        const whole = { statesIn: source.statesIn.bind(source) };
        const slow: Pick<IndexSource, 'statesIn'> = {
          statesIn: (_id, signal) =>
            new Promise((resolve) => signal?.addEventListener('abort', () => resolve(new Map()))),
        };
        Object.assign(source, slow);
        const filters = { kinds: ['event'] };
        const found = await host.use<Found>('search_pattern', { workspace_id, query: '\\w', filters });
        Object.assign(source, whole);
        assert.match(found.warnings.join(), /ran out of time/);
      });

      it('answers a question for a time with the records of it, newest first', async () => {
        const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
        await store('uploads time out', { occurred_at: day(1), event_type: 'bug' });
        await store('what happened in the spring', { occurred_at: day(200) });
        await node('ship on Thursdays', { valid_from: day(2) });
        await store('sessions are in Redis', { occurred_at: day(2) });
        assert.deepEqual(await titles('what happened yesterday?'), ['uploads time out']);
        assert.deepEqual(await titles('what happened in the last 3 days', { by_recency: false }), [
          'uploads time out',
          'sessions are in Redis',
          'ship on Thursdays',
        ]);
        assert.equal((await titles('what did we decide in the last 3 days'))[0], 'ship on Thursdays');
        assert.deepEqual(await titles('what happened in the last 3 days', { kinds: ['node'] }), [
          'ship on Thursdays',
        ]);
        assert.equal(
          (await titles('Was haben wir in den letzten 3 Tagen entschieden?'))[0],
          'ship on Thursdays',
        );
        assert.deepEqual(await titles("qu'est-ce qui s'est passé hier ?"), ['uploads time out']);
        assert.deepEqual(await titles(`what happened before ${day(2)}`), ['what happened in the spring']);
        const lessons = await find('what did we learn yesterday');
        assert.match(String(lessons.warnings), /the records of .* None of them has the type lesson\.$/);
        const today = await host.use<Found>('memory_search', {
          workspace_id,
          query: 'what happened today',
        });
        assert.match(String(today.warnings), /of which memory has no record: these are not of/);
        assert.equal(today.results[0]?.title, 'what happened in the spring');
      });

      it('raises records of a time that is named beside a subject', async () => {
        const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
        await store('the walrus ate its fish', { occurred_at: day(2) });
        await store('the walrus ate the fish', { occurred_at: day(1) });
        const named = await titles('walrus fish 2 days ago', { by_recency: false });
        assert.equal(named[0], 'the walrus ate its fish');
        assert.equal(
          (await titles('walrus fish yesterday', { by_recency: false }))[0],
          'the walrus ate the fish',
        );
        await store('a stork came this week, and another one last week', { occurred_at: day(100) });
        await store('storks are counted by hand', { occurred_at: day(101) });
        const [first, ...others] = await titles('counted storks last week', { by_recency: false });
        assert.equal(first, 'storks are counted by hand', 'the words of a time are not looked for in texts');
        assert.equal(others.length, 1);
      });

      it('finds events and nodes, narrowed by kind and type, with highlights', async () => {
        await store('the walrus sleeps on the ice', { event_type: 'insight' });
        await node('walrus enclosures get ice');
        const { results, index } = await find('walrus');
        assert.equal(index.state, 'ready');
        assert.equal(results.length, 2);
        for (const { content, highlights } of results) {
          const [first] = highlights;
          assert.ok(first);
          assert.equal(content.slice(first.start, first.end), 'walrus');
        }
        assert.deepEqual(await titles('walrus', { kinds: ['node'] }), ['walrus enclosures get ice']);
        assert.deepEqual(await titles('walrus', { event_types: ['insight'], kinds: ['event'] }), [
          'the walrus sleeps on the ice',
        ]);
        assert.deepEqual(await titles('walrus', { event_types: ['bug'], kinds: ['event'] }), []);
        assert.deepEqual(await titles('walrus', { event_types: ['bug'] }), []);
        assert.deepEqual(await titles('walrus', { event_types: ['insight'] }), [
          'the walrus sleeps on the ice',
        ]);
        assert.deepEqual(await titles('walrus', { event_types: ['bug'], node_types: ['decision'] }), [
          'walrus enclosures get ice',
        ]);
        assert.deepEqual(await titles('walrus', { node_types: ['decision'] }), ['walrus enclosures get ice']);
        assert.deepEqual(await titles('walrus', { node_types: ['fact'], kinds: ['node'] }), []);
      });

      it('finds what was said next to what repeats the words of the query', async () => {
        const turns = [
          'good morning everybody',
          'where shall we anchor the zeppelin tonight',
          'behind the old mill, on the meadow',
          'fine, then supper',
        ];
        for (const [i, turn] of turns.entries())
          await store(turn, { session_id: 's', occurred_at: `2026-01-01T10:0${i}:00Z` });
        for (let i = 0; i < 5; i++) await store(`something else entirely ${i}`, { session_id: `other ${i}` });
        const found = await titles('zeppelin');
        assert.equal(found[0], turns[1]);
        assert.ok(found.slice(0, 3).includes(turns[2] ?? ''), found.join('; '));
      });

      it('puts a record of no session before an event in one that fits a little less', async () => {
        await store('gannets nest on cliffs of the north', { session_id: 'trip' });
        await store('puffins nest in burrows', { session_id: 'trip' });
        await node('gannets nest on cliffs');
        const [first] = await titles('where do gannets nest on cliffs', { by_recency: false });
        assert.equal(first, 'gannets nest on cliffs');
      });

      it('finds by their words what waits for the index, changed or new', async () => {
        const waiting = await startMemory(await fresh(), { workers: false });
        try {
          const workspace = await newWorkspace(waiting);
          const now = (query: string, more: object = {}) =>
            waiting.use<Found>('memory_search', { workspace_id: workspace, query, ...more });
          const made = { workspace_id: workspace, node_type: 'decision' };
          const { id } = await createNode(waiting, { ...made, title: 'ferries sail at noon' });
          const event = await storeEvent(waiting, {
            workspace_id: workspace,
            title: 'the ferries were late',
          });
          const ids = async (query: string, more: object = {}) =>
            (await now(query, more)).results.map((hit) => hit.id).sort();
          assert.deepEqual(await ids('ferries'), [id, event.id].sort());
          assert.deepEqual(await ids('ferries', { kinds: ['node'] }), [id]);
          assert.deepEqual(await ids('ferries at midnight in a storm'), [], 'fewer than half of the words');
          const project = await waiting.use<Made>('projects_create', { workspace_id: workspace, name: 'p' });
          assert.deepEqual(await ids('ferries', { project_id: project.id }), []);
          await waiting.use('memory_update_node', { node_id: id, title: 'barges', content: 'barges sail' });
          assert.deepEqual(await ids('barges'), [id]);
          const { items } = await waiting.use<{ items: Made[] }>('memory_decisions', {
            workspace_id: workspace,
            query: 'barges',
          });
          assert.deepEqual(
            items.map((item) => item.id),
            [id],
          );
        } finally {
          await waiting.stop();
        }
      });

      it('finds the successor of a superseded node, and the old one only when asked, below it', async () => {
        const old = await node('the build runs on jenkins');
        await host.use('memory_supersede_node', {
          node_id: old.id,
          title: 'pipelines are hosted elsewhere',
          content: 'nobody maintains the old machine',
        });
        assert.deepEqual(await titles('jenkins build'), ['pipelines are hosted elsewhere']);
        const both = await find('jenkins build', { include_superseded: true });
        assert.deepEqual(
          both.results.map(({ title, status }) => [title, status]),
          [
            ['pipelines are hosted elsewhere', 'active'],
            ['the build runs on jenkins', 'superseded'],
          ],
        );
      });

      it('lends the best score of what a node superseded, through others, too', async () => {
        const [near, far, between, last] = [
          await node('the walrus sleeps on the ice'),
          await node('a walrus was mentioned beside many other animals of the north'),
          await node('something in between'),
          await node('what holds'),
        ];
        const supersede = (by: Made, ...nodes: readonly Made[]) =>
          Promise.all(
            nodes.map(({ id }) => host.use('memory_supersede_node', { node_id: id, superseded_by: by.id })),
          );
        await supersede(between, near, far);
        await supersede(last, between);
        const { results } = await find('walrus sleeps on the ice', { include_superseded: true });
        const scoreOf = (one: Made) => results.find(({ id }) => id === one.id)?.score ?? 0;
        assert.ok(scoreOf(near) > 0);
        assert.ok(scoreOf(last) > scoreOf(near));
      });

      it('answers as of a time with what was held true then', async () => {
        const old = await node('coffee is brewed at nine');
        await store('coffee beans were bought', { occurred_at: '2020-01-01T00:00:00Z' });
        await tick();
        const then = new Date().toISOString();
        await tick();
        await host.use('memory_supersede_node', {
          node_id: old.id,
          title: 'coffee is brewed at ten',
          content: 'coffee at ten',
        });
        assert.deepEqual((await titles('coffee', { as_of: then })).sort(), [
          'coffee beans were bought',
          'coffee is brewed at nine',
        ]);
        assert.deepEqual(await titles('coffee', { as_of: '2019-01-01T00:00:00Z' }), []);
      });

      it('finds a node as of a time by the words that it had then', async () => {
        const { id } = await node('indent by tabs in every file');
        const others = Array.from({ length: 120 }, (_, i) => `tabs of browser ${i}`);
        await importLines(
          host,
          { workspace_id },
          others.map((title) => ({ record: 'event', id: title, event_type: 'note', title, content: title })),
        );
        await tick();
        const as_of = new Date().toISOString();
        await tick();
        await host.use('memory_update_node', {
          node_id: id,
          title: 'whitespace',
          content: 'two blanks a level',
        });
        await find('indent tabs');
        const { results, warnings } = await find('indent by tabs', { as_of });
        assert.deepEqual([results[0]?.id, results[0]?.content], [id, 'indent by tabs in every file']);
        assert.doesNotMatch(warnings.join(), /Nothing holds/, 'a record of then has the words');
        assert.notEqual((await find('indent by tabs')).results[0]?.id, id);
        assert.deepEqual(
          await titles('indent by tabs', { as_of, kinds: ['event'], limit: 1 }).then((all) => all.length),
          1,
        );
        const project = await host.use<Made>('projects_create', { workspace_id, name: 'p' });
        assert.deepEqual(await titles('indent by tabs', { as_of, project_id: project.id }), []);
      });

      it('prefers what is newer and matters more among equals, unless told not to', async () => {
        const day = 24 * 60 * 60 * 1000;
        const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
        const old = await store('pelican report', { occurred_at: ago(400) });
        const recent = await store('pelican report', { occurred_at: ago(1) });
        const critical = await store('pelican report', { occurred_at: ago(400), importance: 'critical' });
        const found = (await find('pelican report')).results.map(({ id }) => id);
        assert.deepEqual(found, [critical.id, recent.id, old.id]);
        const { results } = await find('pelican report', { by_recency: false });
        const [first, ...repeated] = results;
        assert.equal(first?.id, critical.id, 'of equals, the one that was stored last');
        assert.equal(new Set(repeated.map(({ score }) => score)).size, 1, 'equal texts, equal scores');
      });

      it('sees nothing of another project or workspace', async () => {
        const project = (name: string) => host.use<Made>('projects_create', { workspace_id, name });
        const [a, b] = [await project('a'), await project('b')];
        await store('ocelot of a', { project_id: a.id });
        await store('ocelot of b', { project_id: b.id });
        assert.deepEqual(await titles('ocelot', { project_id: a.id }), ['ocelot of a']);
        const other = await newWorkspace(host);
        const found = await host.use<Found>('memory_search', { workspace_id: other, query: 'ocelot' });
        assert.deepEqual([found.results, found.index.state], [[], 'not_indexed']);
      });

      it('forgets what was deleted at once', async () => {
        const { id } = await store('a fleeting marmot');
        assert.deepEqual(await titles('marmot'), ['a fleeting marmot']);
        await host.use('memory_delete_event', { event_id: id });
        const { results } = await host.use<Found>('memory_search', { workspace_id, query: 'marmot' });
        assert.deepEqual(results, []);
      });

      it('refuses what does not fit', async () => {
        for (const bad of [{ query: '' }, { kinds: [] }, { kinds: ['code'] }, { limit: 0 }, { as_of: 'now' }])
          await rejects(host.use('memory_search', { workspace_id, query: 'x', ...bad }), 'INVALID_ARGUMENT');
      });
    });
  });
}
