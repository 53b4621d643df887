import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import {
  createNode,
  indexed,
  newWorkspace,
  storeEvent,
  tick,
  type Made,
  inNewWorkspaces,
} from './start-memory.js';

const uuid = () => crypto.randomUUID();

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: string;
  readonly links: ReadonlyArray<{ readonly relation: string; readonly id: string }>;
}
interface Line {
  readonly items: readonly Entry[];
  readonly total: number;
  readonly page: number;
  readonly granularity: string;
  readonly buckets: ReadonlyArray<{
    readonly start: string;
    readonly count: number;
    readonly by_type: Record<string, number>;
  }>;
}
interface Decision {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  readonly rationale: string;
  readonly status: string;
  readonly superseded_by: string | null;
  readonly related: ReadonlyArray<{ readonly id: string; readonly relation_type: string }>;
}

eachDatabase((fresh) => {
  describe('decisions and timeline', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

    const store = (title: string, occurred_at: string, more: object = {}) =>
      storeEvent(host, {
        workspace_id,
        title,
        content: `${title} happened. And more.`,
        occurred_at,
        ...more,
      });
    const decide = (title: string, more: object = {}) => {
      const content = `${title}. We chose it because it is simple. It costs little.`;
      return createNode(host, { workspace_id, node_type: 'decision', title, content, ...more });
    };
    const decisions = async (more: object = {}) =>
      (await host.use<{ items: Decision[] }>('memory_decisions', { workspace_id, ...more })).items;
    const timeline = (more: object = {}) => host.use<Line>('memory_timeline', { workspace_id, ...more });

    it('list decisions of nodes and events with their reasons, in force unless asked otherwise', async () => {
      const old = await decide('SQLite', { valid_from: '2024-01-01T00:00:00Z' });
      await decide('Koa', { valid_from: '2025-01-01T00:00:00Z', status: 'verified' });
      await decide('maybe Rust', { status: 'disputed' });
      await store('a decision in passing', '2023-01-01T00:00:00Z', { event_type: 'decision' });
      await store('no decision', '2026-01-01T00:00:00Z');
      const { new: next } = await host.use<{ new: Made }>('memory_supersede_node', {
        node_id: old.id,
        title: 'PostgreSQL',
        content: 'Several writers.\n\n## Rationale\n\nOne file has one writer.',
      });
      const listed = await decisions();
      assert.deepEqual(
        listed.map(({ kind, title }) => [kind, title]),
        [
          ['node', 'PostgreSQL'],
          ['node', 'Koa'],
          ['event', 'a decision in passing'],
        ],
      );
      assert.equal(listed[0]?.rationale, 'One file has one writer.');
      assert.equal(listed[1]?.rationale, 'We chose it because it is simple.');
      assert.equal(listed[1]?.summary, 'Koa.');
      assert.deepEqual(listed[0]?.related, [{ id: old.id, relation_type: 'supersedes' }]);
      const [replaced] = await decisions({ status: 'superseded' });
      assert.equal(replaced?.superseded_by, next.id);
      assert.deepEqual(
        (await decisions({ status: 'disputed' })).map(({ title }) => title),
        ['maybe Rust'],
      );
      assert.deepEqual(
        (await decisions({ since: '2025-01-01T00:00:00Z' })).map(({ title }) => title),
        ['PostgreSQL', 'Koa'],
      );
      const early = { since: '2023-01-01', until: '2025-01-01' };
      assert.deepEqual(
        (await decisions(early)).map(({ title }) => title),
        ['Koa', 'a decision in passing'],
        'the whole last day',
      );
      assert.deepEqual(
        (await decisions({ until: '2025-01-01T00:00:00Z' })).map(({ title }) => title),
        ['a decision in passing'],
      );
      assert.deepEqual(
        (await decisions({ ...early, as_of: new Date().toISOString() })).map(({ title }) => title),
        ['Koa', 'a decision in passing'],
        'as it was then, too',
      );
    });

    it('list decisions as of a time, and those that a query finds', async () => {
      const old = await decide('tabs for indentation', { valid_from: '2024-01-01T00:00:00Z' });
      await decide('weekly releases', { valid_from: '2024-01-01T00:00:00Z' });
      await tick();
      const then = new Date().toISOString();
      await tick();
      await host.use('memory_supersede_node', { node_id: old.id, title: 'spaces', content: 'spaces' });
      const past = await decisions({ as_of: then });
      assert.deepEqual(past.map(({ title, status }) => `${title}: ${status}`).sort(), [
        'tabs for indentation: active',
        'weekly releases: active',
      ]);
      assert.deepEqual(await decisions({ as_of: '2024-06-01T00:00:00Z' }), [], 'not recorded by then');
      await host.use('memory_update_node', { node_id: old.id, title: 'a habit', content: 'It is over.' });
      const [found] = await decisions({ query: 'indentation', as_of: then });
      assert.equal(found?.title, 'tabs for indentation', 'by the words that it had then');
      await indexed(host, workspace_id);
      assert.deepEqual(
        (await decisions({ query: 'release cadence weekly' })).map(({ title }) => title),
        ['weekly releases'],
      );
      await decide('releases are announced', { valid_from: '2025-01-01T00:00:00Z' });
      await indexed(host, workspace_id);
      assert.deepEqual(
        (await decisions({ query: 'weekly releases' })).map(({ title }) => title),
        ['weekly releases', 'releases are announced'],
        'by the query, not by date',
      );
    });

    it('show everything newest first, in pages, with counts that agree', async () => {
      await store('one', '2026-01-05T10:00:00Z'); // a Monday
      await store('two', '2026-01-11T10:00:00Z', { event_type: 'bug' }); // the Sunday of that week
      await store('three', '2026-01-12T10:00:00Z');
      const old = await decide('four', { valid_from: '2026-02-01T00:00:00Z' });
      const { items, total, buckets } = await timeline();
      assert.deepEqual(
        items.map(({ title }) => title),
        ['four', 'three', 'two', 'one'],
      );
      assert.deepEqual([items[0]?.kind, items[1]?.summary], ['node', 'three happened.']);
      assert.equal(total, 4);
      assert.deepEqual(
        buckets.map(({ start, count }) => [start, count]),
        [
          ['2026-02-01', 1],
          ['2026-01-12', 1],
          ['2026-01-11', 1],
          ['2026-01-05', 1],
        ],
      );
      const weeks = (await timeline({ granularity: 'week' })).buckets;
      assert.deepEqual(
        weeks.map(({ start, count }) => [start, count]),
        [
          ['2026-01-26', 1],
          ['2026-01-12', 1],
          ['2026-01-05', 2],
        ],
      );
      assert.deepEqual(weeks[2]?.by_type, { bug: 1, note: 1 });
      const months = (await timeline({ granularity: 'month' })).buckets;
      assert.deepEqual(
        months.map(({ start, count }) => [start, count]),
        [
          ['2026-02', 1],
          ['2026-01', 3],
        ],
      );
      const second = await timeline({ per_page: 2, page: 2 });
      assert.deepEqual(
        second.items.map(({ title }) => title),
        ['two', 'one'],
      );
      const some = {
        since: '2026-01-11T00:00:00Z',
        until: '2026-01-31T00:00:00Z',
        types: ['bug', 'decision'],
      };
      assert.deepEqual(
        (await timeline(some)).items.map(({ title }) => title),
        ['two'],
      );
      const { new: next } = await host.use<{ new: Made }>('memory_supersede_node', {
        node_id: old.id,
        title: 'five',
        content: 'five',
      });
      const [five, four] = (await timeline()).items;
      assert.deepEqual(five?.links, [{ relation: 'supersedes', id: old.id }]);
      assert.deepEqual(four?.links, [{ relation: 'superseded_by', id: next.id }]);
    });

    it('count a long history by weeks, unless asked otherwise', async () => {
      await store('one', '2026-01-05T10:00:00Z');
      const { sql } = host.database;
      const one = (await sql('memory_events').where({ workspace_id }).first()) as object;
      const day = (n: number) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString();
      const others = Array.from({ length: 199 }, (_, n) => ({ ...one, id: uuid(), occurred_at: day(n) }));
      await sql.batchInsert('memory_events', others, 50);
      const few = await timeline();
      assert.deepEqual([few.granularity, few.buckets.length], ['day', 200]);
      await store('two', '2026-01-06T10:00:00Z');
      const { granularity, buckets, total } = await timeline();
      assert.deepEqual([granularity, buckets.length, total], ['week', 30, 201]);
      assert.equal(buckets[0]?.count, 2);
      const days = await timeline({ granularity: 'day' });
      assert.deepEqual([days.granularity, days.buckets.length], ['day', 201]);
    });

    it('count the first weeks that can be written', async () => {
      for (const day of ['0000-01-01', '0000-01-02', '0000-01-03', '0001-01-01'])
        await store(day, `${day}T10:00:00Z`);
      const { buckets } = await timeline({ granularity: 'week' });
      assert.deepEqual(
        buckets.map(({ start, count }) => [start, count]),
        [
          ['0001-01-01', 1],
          ['0000-01-03', 1],
          ['0000-01-01', 2],
        ],
      );
    });

    it('show how nodes relate, in both directions, each relation once', async () => {
      const goal = await createNode(host, { workspace_id, node_type: 'goal', title: 'One machine' });
      const old = await decide('a server', {
        relations: [{ relation_type: 'implements', target_id: goal.id }],
      });
      await tick();
      const then = new Date().toISOString();
      await tick();
      const relations = [
        { relation_type: 'contradicts', target_id: old.id, weight: 0.5 },
        { relation_type: 'depends_on', target_id: goal.id },
        { relation_type: 'supersedes', target_id: old.id },
      ];
      const next = await decide('a file', { relations });
      await host.use('memory_supersede_node', { node_id: old.id, superseded_by: next.id });
      const [shown] = await decisions();
      assert.deepEqual(shown?.related, [
        { id: old.id, relation_type: 'supersedes' },
        { id: goal.id, relation_type: 'depends_on' },
        { id: old.id, relation_type: 'contradicts' },
      ]);
      const [replaced] = await decisions({ status: 'superseded' });
      const ofOld = [
        { id: next.id, relation_type: 'superseded_by' },
        { id: goal.id, relation_type: 'implements' },
        { id: next.id, relation_type: 'contradicts' },
      ];
      assert.deepEqual(replaced?.related, ofOld);
      const [past] = await decisions({ as_of: then });
      assert.deepEqual(past?.related, [{ id: goal.id, relation_type: 'implements' }], 'as of then');
      const { items } = await timeline();
      const linksOf = (id: string) => items.find((item) => item.id === id)?.links;
      assert.deepEqual(
        linksOf(old.id),
        ofOld.map(({ id, relation_type: relation }) => ({ relation, id })),
      );
      assert.deepEqual(linksOf(goal.id), [
        { relation: 'implemented_by', id: old.id },
        { relation: 'required_by', id: next.id },
      ]);
      const influence = [{ relation_type: 'influences', target_id: goal.id, weight: 0.5 }];
      for (let i = 0; i < 50; i++) await decide(`d${i}`, { relations: influence });
      const whole = await timeline({ per_page: 100 });
      assert.equal(whole.items.find(({ id }) => id === goal.id)?.links.length, 50, 'the strongest 50');
    });

    it('open at the page of an event', async () => {
      const ids: string[] = [];
      for (let day = 1; day <= 9; day++)
        ids.push((await store(`day ${day}`, `2026-03-0${day}T00:00:00Z`)).id);
      const found = await timeline({ around: ids[3], per_page: 2 });
      assert.equal(found.page, 3);
      assert.deepEqual(
        found.items.map(({ title }) => title),
        ['day 5', 'day 4'],
      );
      const foreign = await newWorkspace(host);
      await rejects(host.use('memory_timeline', { workspace_id: foreign, around: ids[3] }), 'NOT_FOUND');
    });

    it('count what memory can be narrowed by', async () => {
      await store('a', '2026-01-01T00:00:00Z', { tags: ['x', 'y'], session_id: 's' });
      await store('b', '2026-01-01T00:00:00Z', { tags: ['x'], event_type: 'bug' });
      await decide('c', { tags: ['x'] });
      assert.deepEqual(await host.use('memory_facets', { workspace_id }), {
        event_types: [
          { value: 'bug', count: 1 },
          { value: 'note', count: 1 },
        ],
        node_types: [{ value: 'decision', count: 1 }],
        tags: [
          { value: 'x', count: 3 },
          { value: 'y', count: 1 },
        ],
        sessions: [{ value: 's', count: 1 }],
        projects: [],
      });
    });
  });
});
