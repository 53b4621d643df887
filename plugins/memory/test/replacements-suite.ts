import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { onDatabase, type TestHost, type TestDatabase } from '@service-mcp/core/testing';
import { createNode, indexed, inNewWorkspaces, storeEvent, type Made } from './start-memory.js';
import { exportLines, importLines } from './transfer.js';

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly perhaps_replaced_by: string | null;
}

/** What a later decision leaves, on one engine: words and their order. PostgreSQL runs with the long tests. */
export function replacementsSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('decisions that a later one leaves', () => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

      const decide = (day: string, content: string, more: object = {}) =>
        storeEvent(host, {
          workspace_id,
          event_type: 'decision',
          title: content,
          content,
          occurred_at: `2026-05-${day}T00:00:00Z`,
          ...more,
        });
      const find = async (query: string, more: object = {}, workspace = workspace_id) => {
        await indexed(host, workspace);
        const args = { workspace_id: workspace, query, ...more };
        return (await host.use<{ results: Hit[] }>('memory_search', args)).results;
      };
      const marks = async (query: string, more: object = {}) =>
        (await find(query, more)).map(({ id, perhaps_replaced_by }) => [id, perhaps_replaced_by]);

      it('are named where they have another form of the word that it leaves', async () => {
        const decision = (title: string) => createNode(host, { workspace_id, node_type: 'decision', title });
        for (const [title, next] of [
          ['Prüfdienst für Signaturen', 'Sigstore statt Prüfdienst'],
          ['Policy files rule the access', 'OPA instead of policies'],
        ] as const) {
          const { id } = await decision(title);
          assert.deepEqual((await decision(next))['contradictions'], [{ id, title }]);
        }
      });

      it('are marked with it, and come after it, though it has no word of the query', async () => {
        const old = await decide('04', 'We use Postgres');
        const next = await decide('08', 'The data moved from Postgres to MySQL');
        const last = await createNode(host, {
          workspace_id,
          node_type: 'decision',
          title: 'MariaDB instead of MySQL',
          valid_from: '2026-05-20',
        });
        assert.deepEqual(await marks('what do we use'), [
          [last.id, null],
          [next.id, last.id],
          [old.id, next.id],
        ]);
        const args = { workspace_id, query: 'what do we use' };
        const { content } = completeResult(await host.catalog.call('memory_search', args, host.call()));
        const text = content.map((block) => ('text' in block ? block.text : '')).join();
        const { items } = await host.use<{ items: Hit[] }>('memory_decisions', { workspace_id });
        assert.deepEqual(
          items.map(({ id, perhaps_replaced_by }) => [id, perhaps_replaced_by]),
          [
            [last.id, null],
            [next.id, last.id],
            [old.id, next.id],
          ],
        );
        const asked = { workspace_id, query: 'what do we use' };
        const listed = await host.use<{ items: Hit[] }>('memory_decisions', asked);
        assert.deepEqual(
          listed.items.map(({ id }) => id),
          [last.id, next.id, old.id],
        );
        assert.ok(
          text.includes(`2026-05-04 decision, perhaps replaced by ${next.id}: We use Postgres`),
          text,
        );
      });

      it('hold before it, and where it is not asked for, elsewhere, deleted or says something else by now', async () => {
        const old = await decide('04', 'We use Postgres');
        const next = await decide('08', 'The data moved from Postgres to MySQL');
        assert.deepEqual(await marks('use Postgres', { kinds: ['event'] }), [
          [next.id, null],
          [old.id, next.id],
        ]);
        const before = { as_of: '2026-05-06' };
        assert.deepEqual(await marks('use Postgres', before), []); // recorded later
        const project = async (name: string) =>
          (await host.use<Made>('projects_create', { workspace_id, name })).id;
        const [project_id, other] = [await project('a'), await project('b')];
        const shop = await decide('09', 'The shop uses Redis', { project_id });
        await decide('10', 'Valkey instead of Redis', { project_id: other });
        assert.deepEqual(await marks('shop Redis', { project_id }), [[shop.id, null]]);
        const by = async () =>
          (await find('We use Postgres')).find(({ id }) => id === old.id)?.perhaps_replaced_by;
        await host.use('memory_update_event', { event_id: next.id, title: 'MySQL', content: 'for reports' });
        assert.equal(await by(), null);
        await host.use('memory_update_event', { event_id: next.id, content: 'It replaces Postgres' });
        assert.equal(await by(), next.id);
        const { change_id } = await host.use<{ change_id: string }>('memory_delete_many', {
          workspace_id,
          ids: [next.id],
        });
        assert.equal(await by(), null);
        await host.use('memory_undo', { change_id });
        assert.equal(await by(), next.id);
      });

      it('are named as it is stored, of nodes', async () => {
        const npm = await createNode(host, {
          workspace_id,
          node_type: 'decision',
          title: 'npm for all packages',
        });
        await createNode(host, { workspace_id, node_type: 'fact', title: 'npm is old' });
        const pnpm = { workspace_id, node_type: 'decision', title: 'pnpm instead of npm' };
        const { contradictions } = await createNode(host, pnpm);
        assert.deepEqual(contradictions, [{ id: npm.id, title: 'npm for all packages' }]);
        const relations = [{ relation_type: 'supersedes', target_id: npm.id }];
        assert.deepEqual((await createNode(host, { ...pnpm, relations })).contradictions, []);
        const titled = { workspace_id, node_type: 'decision', title: 'Database of the shop' };
        const postgres = await createNode(host, { ...titled, content: 'We use Postgres for orders.' });
        const moved = { ...titled, content: 'We moved from Postgres to MySQL, whose licence we have.' };
        const { contradictions: left } = await createNode(host, moved);
        assert.deepEqual(left, [{ id: postgres.id, title: titled.title }], 'by what it says');
      });

      it('are named as it is stored, however many newer ones mention what it leaves', async () => {
        const decision = (title: string, content: string, more: object = {}) =>
          createNode(host, { workspace_id, node_type: 'decision', title, content, ...more });
        const from = { valid_from: '2024-01-01T00:00:00Z' };
        const titled = await decision('Use Memcached for sessions', 'Sessions are kept in one store.', from);
        const said = await decision('Store of carts', 'Carts are kept in Memcached.', from);
        const mentions = Array.from({ length: 55 }, (_, n) => ({
          record: 'node',
          id: `owner-${n}`,
          node_type: 'decision',
          title: `Owner ${n}`,
          content: `Part number ${n} has an owner. It talks to Memcached as all do.`,
        }));
        await importLines(host, { workspace_id }, mentions);
        const { contradictions } = await decision('Sessions move', 'We moved from Memcached to Valkey.');
        const ids = (contradictions as ReadonlyArray<{ id: string }>).map(({ id }) => id);
        assert.deepEqual(ids, [titled.id, said.id]);
      });

      it('share more with it than a word that many decisions are about', async () => {
        const titles = [
          'The API is versioned by path',
          'The API answers in JSON',
          'Keys of the API expire',
          'Callers of the API are limited',
        ];
        const [versioned] = await Promise.all(titles.map((title, at) => decide(`0${at + 1}`, title)));
        const { id: events } = await decide('06', 'Events come by SSE instead of API polling');
        const { id: header } = await decide('07', 'A header has the version instead of the path');
        const found = await marks('API');
        assert.deepEqual(
          found.filter(([, by]) => by !== null),
          [[versioned?.id, header]],
          events,
        );
        const { id: xml } = await decide('08', 'XML for answers instead of the API in JSON');
        const marked = new Map((await find('API')).map((hit) => [hit.title, hit.perhaps_replaced_by]));
        assert.equal(marked.get('The API answers in JSON'), xml);
        assert.equal(marked.get('Keys of the API expire'), null);
      });

      it('share more than a day with it', async () => {
        const ship = await decide('01', 'Ship releases on Thursdays');
        const quiet = await decide('02', 'No meetings on Thursdays');
        const next = await decide('03', 'Ship releases on Tuesdays instead of Thursdays');
        const found = new Map((await find('Thursdays')).map((hit) => [hit.id, hit.perhaps_replaced_by]));
        assert.deepEqual([found.get(ship.id), found.get(quiet.id)], [next.id, null]);
      });

      it('have the same title but for the day of the week', async () => {
        const ship = await decide('01', 'Ship on Thursdays');
        const lunch = await decide('02', 'Lunch on Tuesdays');
        const next = await decide('03', 'Ship on Tuesdays');
        const found = new Map((await find('ship lunch')).map((hit) => [hit.id, hit.perhaps_replaced_by]));
        assert.deepEqual(
          [found.get(ship.id), found.get(lunch.id), found.get(next.id)],
          [next.id, null, null],
        );
      });

      it('are marked after an import, too', async () => {
        await decide('04', 'We use Postgres');
        await decide('08', 'The data moved from Postgres to MySQL');
        const other = await host.use<Made>('workspaces_create', { name: 'Other' });
        await importLines(host, { workspace_id: other.id }, await exportLines(host, workspace_id));
        const [next, old] = await find('We use Postgres', {}, other.id);
        assert.equal(old?.perhaps_replaced_by, next?.id);
      });
    });
  });
}
