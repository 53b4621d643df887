import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, tick, inNewWorkspaces } from './start-memory.js';

interface Node {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly updated_at: string;
}
interface PageOf<T> {
  readonly items: readonly T[];
}
interface Version {
  readonly version: number;
  readonly recorded_at: string;
  readonly reason: string | null;
  readonly node: Node;
}

eachDatabase((fresh) => {
  describe('knowledge nodes', () => {
    let host: TestHost;
    let workspace: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace] = made), { workers: false });

    const create = (title: string, more: object = {}) =>
      createNode(host, { workspace_id: workspace, node_type: 'decision', title, ...more });
    const titles = async (filter: object = {}) => {
      const page = await host.use<PageOf<Node>>('memory_list_nodes', { workspace_id: workspace, ...filter });
      return page.items.map(({ title }) => title);
    };
    const history = async (id: string) =>
      (await host.use<PageOf<Version>>('memory_node_history', { node_id: id })).items;

    it('never record a version before the one that it follows, whatever the clock of a writer says', async () => {
      const { id } = await create('one');
      const later = '2999-01-01T00:00:00.000Z';
      await host.database.sql('memory_node_versions').where({ node_id: id }).update({ recorded_at: later });
      await host.use('memory_update_node', { node_id: id, title: 'two' });
      assert.deepEqual(
        (await history(id)).map(({ version, recorded_at }) => [version, recorded_at]),
        [
          [2, later],
          [1, later],
        ],
      );
    });

    it('keep every version, and who is asked as of a time answers with that of then', async () => {
      const first = await create('one', { valid_from: '2020-01-01T00:00:00Z' });
      await tick();
      await host.use('memory_update_node', { node_id: first.id, title: 'two', confidence: 0.5 });
      await host.use('memory_update_node', { node_id: first.id, title: 'two' });
      const versions = await history(first.id);
      assert.deepEqual(
        versions.map(({ version, node }) => [version, node.title]),
        [
          [2, 'two'],
          [1, 'one'],
        ],
        'a change of nothing makes none',
      );
      const then = versions.at(-1)?.recorded_at;
      assert.deepEqual(await titles({ as_of: then }), ['one']);
      assert.deepEqual(await titles({ as_of: new Date().toISOString() }), ['two']);
      assert.deepEqual(await titles({ as_of: '2019-01-01T00:00:00Z' }), [], 'neither recorded nor valid');
      assert.deepEqual(await titles({ as_of: '2021-01-01T00:00:00Z' }), [], 'valid, but not recorded yet');
    });

    it('are superseded by a new one: the old closes, and stays readable as of its time', async () => {
      const old = await create('use tabs', { tags: ['style'] });
      await tick();
      const before = new Date().toISOString();
      await tick();
      const pair = await host.use<{ old: Node; new: Node }>('memory_supersede_node', {
        node_id: old.id,
        title: 'use spaces',
        content: 'they are the same everywhere',
        reason: 'the linter wants it',
      });
      assert.equal(pair.old.status, 'superseded');
      assert.equal(pair.old.superseded_by, pair.new.id);
      assert.notEqual(pair.old.valid_to, null);
      assert.equal(pair.new.supersedes, old.id);
      assert.equal(pair.new.status, 'active');
      assert.deepEqual(await titles({ status: 'active' }), ['use spaces']);
      assert.deepEqual(await titles({ as_of: before }), ['use tabs']);
      const { valid_from } = pair.new;
      assert.deepEqual([pair.old.valid_to, pair.old.updated_at], [valid_from, valid_from], 'one moment');
      assert.deepEqual(await titles({ as_of: valid_from }), ['use spaces']);
      await tick();
      assert.deepEqual(await titles({ as_of: new Date().toISOString() }), ['use spaces']);
      const [last] = await history(old.id);
      assert.equal(last?.reason, 'the linter wants it');
      const types = await host.database.sql('change_events').where('type', 'like', 'memory.%').orderBy('id');
      assert.deepEqual(
        types.slice(-2).map(({ type }: { type: string }) => type),
        ['memory.node.created', 'memory.node.superseded'],
      );
    });

    it('are superseded since when what is true now began, at the latest now', async () => {
      const old = await create('led by Ada', { valid_from: '2026-01-01' });
      const supersede = (more: object) =>
        host.use<{ old: Node; new: Node }>('memory_supersede_node', { node_id: old.id, ...more });
      const next = { title: 'led by Bo', content: 'led by Bo' };
      await rejects(
        supersede({ ...next, valid_from: '2025-12-31' }),
        'INVALID_ARGUMENT',
        /before 2026-01-01/,
      );
      await rejects(supersede({ ...next, valid_from: '2999-01-01' }), 'INVALID_ARGUMENT', /in the future: /);
      const pair = await supersede({ ...next, valid_from: '2026-02-01' });
      const moment = '2026-02-01T00:00:00.000Z';
      assert.deepEqual([pair.old.valid_to, pair.new.valid_from], [moment, moment]);
      const existing = await create('led by Cy', { valid_from: '2026-03-01' });
      const args = { node_id: pair.new.id, superseded_by: existing.id };
      await rejects(
        host.use('memory_supersede_node', { ...args, valid_from: '2026-03-02' }),
        'INVALID_ARGUMENT',
        /not both/,
      );
      const { old: ended } = await host.use<{ old: Node }>('memory_supersede_node', args);
      assert.equal(ended.valid_to, '2026-03-01T00:00:00.000Z', 'an existing node began before now');
    });

    it('are superseded once, however many try at the same moment', async () => {
      const old = await create('contested');
      const tries = await Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          host.use('memory_supersede_node', { node_id: old.id, title: `try ${i}`, content: 'x' }),
        ),
      );
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await titles({ status: 'active' })).length, 1, 'no try leaves a node behind');
      await rejects(
        host.use('memory_supersede_node', { node_id: old.id, title: 'late', content: 'x' }),
        'CONFLICT',
        /Pass the id of that one/,
      );
    });

    it('are superseded by existing ones, never by themselves or by what is superseded', async () => {
      const [a, b, c] = [await create('a'), await create('b'), await create('c')];
      const supersede = (node_id: string, superseded_by: string) =>
        host.use<{ new: Node }>('memory_supersede_node', { node_id, superseded_by });
      assert.equal((await supersede(a.id, b.id)).new.supersedes, a.id);
      await rejects(supersede(b.id, a.id), 'CONFLICT');
      await rejects(supersede(b.id, b.id), 'INVALID_ARGUMENT', /itself/);
      assert.equal((await supersede(c.id, b.id)).new.supersedes, a.id, 'the first one stays');
      const later = await create('later', { valid_from: '2999-01-01' });
      await rejects(supersede(b.id, later.id), 'INVALID_ARGUMENT', /in the future: .* valid_to/);
      await rejects(
        host.use('memory_supersede_node', { node_id: b.id, title: 'only a title' }),
        'INVALID_ARGUMENT',
      );
    });

    it('are disputed and verified, with the reason; a superseded one is not', async () => {
      const { id } = await create('claim');
      const set = (status: string, reason?: string) =>
        host.use<Node>('memory_set_node_status', { node_id: id, status, ...(reason && { reason }) });
      assert.equal((await set('disputed', 'a test says otherwise')).status, 'disputed');
      assert.equal((await history(id))[0]?.reason, 'a test says otherwise');
      assert.equal((await set('verified')).status, 'verified');
      await host.use('memory_supersede_node', { node_id: id, title: 'n', content: 'c' });
      await rejects(set('active'), 'CONFLICT');
    });

    it('refuse a validity that ends before it begins, and keep what was', async () => {
      const bad = { valid_from: '2026-02-01T00:00:00Z', valid_to: '2026-01-01T00:00:00Z' };
      await rejects(create('bad', bad), 'INVALID_ARGUMENT', /valid_to/);
      const { id } = await create('good', { valid_from: '2026-02-01T00:00:00Z' });
      await rejects(
        host.use('memory_update_node', { node_id: id, valid_to: '2026-01-01T00:00:00Z' }),
        'INVALID_ARGUMENT',
        /valid_to/,
      );
      assert.equal((await host.use<Node>('memory_get_node', { node_id: id })).valid_to, null);
      assert.equal((await history(id)).length, 1);
    });

    it('are corrected though they were superseded before they began', async () => {
      const { id } = await create('next year', { valid_from: '2999-01-01' });
      await host.use('memory_supersede_node', { node_id: id, title: 'never', content: 'c' });
      const update = (changes: object) => host.use<Node>('memory_update_node', { node_id: id, ...changes });
      assert.equal((await update({ title: 'some year' })).title, 'some year');
      await rejects(update({ valid_from: '2998-01-01' }), 'INVALID_ARGUMENT', /valid_to/);
    });

    it('are open again by an empty valid_to', async () => {
      const { id } = await create('held', { valid_to: '2999-01-01T00:00:00Z' });
      const opened = await host.use<Node>('memory_update_node', { node_id: id, valid_to: '' });
      assert.equal(opened.valid_to, null);
      await rejects(
        host.use('memory_update_node', { node_id: id, valid_to: 'never' }),
        'INVALID_ARGUMENT',
        /valid_to: must be an RFC 3339 time/,
      );
      const unchanged = await host.use<Node>('memory_update_node', { node_id: id });
      assert.deepEqual([unchanged.updated_at, (await history(id)).length], [opened.updated_at, 2]);
    });

    it('take days as bounds, of which a validity has the first and the last whole', async () => {
      const { id } = await create('for a day', { valid_from: '2026-01-05', valid_to: '2026-01-05' });
      const { valid_from, valid_to } = await host.use<Node>('memory_get_node', { node_id: id });
      assert.deepEqual([valid_from, valid_to], ['2026-01-05T00:00:00.000Z', '2026-01-05T23:59:59.999Z']);
      await create('then', { valid_from: '2999-01-05', valid_to: '2999-01-05' }); // recorded before
      const found = ['04', '05', '06'].map((day) => titles({ as_of: `2999-01-${day}` }));
      assert.deepEqual(await Promise.all(found), [[], ['then'], []]);
      const later = await host.use<Node>('memory_update_node', { node_id: id, valid_to: '2026-01-06' });
      assert.equal(later.valid_to, '2026-01-06T23:59:59.999Z');
      assert.equal(
        (await host.use<Node>('memory_update_node', { node_id: id, valid_to: '' })).valid_to,
        null,
      );
    });

    it('are changed only as they were read, where the caller says when that was', async () => {
      const { id, updated_at } = await host.use<Node>('memory_get_node', {
        node_id: (await create('one')).id,
      });
      await tick();
      const writers = await Promise.allSettled(
        ['two', 'three', 'four'].map((title) =>
          host.use<Node>('memory_update_node', { node_id: id, title, if_updated_at: updated_at }),
        ),
      );
      assert.equal(writers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await history(id)).length, 2);
      const stale = { node_id: id, title: 'five', if_updated_at: updated_at };
      await rejects(host.use('memory_update_node', stale), 'CONFLICT', /memory_get_node/);
      const { updated_at: now } = await host.use<Node>('memory_get_node', { node_id: id });
      const inOtherZone = now.replace('Z', '+00:00');
      await host.use('memory_update_node', { ...stale, if_updated_at: inOtherZone });
      assert.deepEqual(await titles(), ['five']);
      const unknown = '01920000-0000-7000-8000-000000000000';
      await rejects(host.use('memory_update_node', { ...stale, node_id: unknown }), 'NOT_FOUND', /./);
      await rejects(
        host.use('memory_update_node', { ...stale, if_updated_at: 'now' }),
        'INVALID_ARGUMENT',
        /if_updated_at/,
      );
    });

    it('are listed by tags, project and time', async () => {
      const { id: project_id } = await host.use<{ id: string }>('projects_create', {
        workspace_id: workspace,
        name: 'app',
      });
      await create('old', { tags: ['a', 'b'], valid_from: '2020-03-01T00:00:00Z' });
      await create('new', { tags: ['a'], project_id, valid_from: '2024-03-01T00:00:00Z' });
      assert.deepEqual(await titles({ tags: ['a', 'b'] }), ['old']);
      assert.deepEqual(await titles({ tags: ["a' OR '1'='1"] }), []);
      assert.deepEqual(await titles({ project_id }), ['new']);
      assert.deepEqual(await titles({ since: '2021-01-01T00:00:00Z' }), ['new']);
      assert.deepEqual(await titles({ until: '2021-01-01T00:00:00Z' }), ['old']);
      const as_of = new Date().toISOString();
      await rejects(titles({ as_of, tags: ['a'] }), 'INVALID_ARGUMENT', /as_of/);
      const { id } = await create('later');
      const before = host.use('memory_get_node', { node_id: id, as_of: '2019-01-01' });
      await rejects(before, 'NOT_FOUND', /not recorded yet, or not valid, at 2019-.*: memory_node_history/);
      await rejects(titles({ as_of, project_id }), 'INVALID_ARGUMENT', /as_of/);
    });

    it('are deleted with their versions', async () => {
      const { id } = await create('gone');
      await host.use('memory_delete_node', { node_id: id });
      await rejects(host.use('memory_get_node', { node_id: id }), 'NOT_FOUND', /memory_search/);
      for (const [table, column] of [
        ['memory_node_versions', 'node_id'],
        ['memory_tags', 'record_id'],
      ] as const)
        assert.equal((await host.database.sql(table).where({ [column]: id })).length, 0, table);
    });
  });
});
