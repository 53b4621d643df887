import assert from 'node:assert/strict';
import { ServiceError } from '@service-mcp/core';
import { eachDatabase, rejects, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { createNode, newWorkspace, startMemory, storeEvent, type Made } from './start-memory.js';
import { exportLines, importLines } from './transfer.js';

interface Quota {
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}
interface Overview {
  readonly counts: Readonly<Record<string, number>>;
  readonly languages: ReadonlyArray<{ readonly bytes: number }>;
  readonly quotas: readonly Quota[];
}

const LIMITS = { quota_files: 6, quota_bytes: 100, quota_events: 8, quota_nodes: 4 };

eachDatabase((fresh) => {
  describe('quotas of a workspace', () => {
    let database: TestDatabase;
    let host: TestHost;
    /** A second process's view: a host with its own connections and counters. */
    let other: TestHost;
    let workspace_id: string;
    let project_id: string;
    before(async () => {
      database = await fresh();
      const start = () => startMemory(database, { workers: false, config: { workspaces: LIMITS } });
      [host, other] = [await start(), await start()];
    });
    after(async () => {
      await other.stop();
      await host.stop();
    });
    beforeEach(async () => {
      workspace_id = await newWorkspace(host);
      project_id = (await host.use<{ id: string }>('projects_create', { workspace_id, name: 'p' })).id;
    });

    const ingest = (files: Record<string, string>, more: object = {}, on = host) =>
      on.use<{ changed: number; removed: number }>('files_ingest', {
        project_id,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
        ...more,
      });
    const events = (titles: readonly string[]) =>
      Promise.all(titles.map((title) => storeEvent(host, { workspace_id, title })));
    const nodes = (titles: readonly string[]) =>
      Promise.all(titles.map((title) => createNode(host, { workspace_id, title })));
    const overview = () => host.use<Overview>('workspaces_overview', { workspace_id });

    /** What is used, after it was compared with what the tables hold. */
    async function used(): Promise<Record<string, number>> {
      const found = Object.fromEntries((await overview()).quotas.map((each) => [each.resource, each.used]));
      const { counts } = await overview();
      const files = await host.database
        .sql('files')
        .where({ workspace_id, deleted: 0 })
        .sum({ bytes: 'bytes' })
        .first();
      const held = {
        files: counts['files'],
        bytes: (files as { bytes: number | null }).bytes ?? 0,
        events: counts['events'],
        nodes: counts['nodes'],
      };
      assert.deepEqual(found, held);
      return found;
    }
    const full = (work: Promise<unknown>, resource: string, usedNow: number) =>
      assert.rejects(work, (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'RESOURCE_EXHAUSTED');
        const limit = (LIMITS as Readonly<Record<string, number>>)[`quota_${resource}`];
        assert.deepEqual(error.details, { resource, limit, used: usedNow });
        assert.match(
          error.message,
          /^The workspace may hold \d+ \w+ and holds \d+; .*Delete.*raise quota_(files|bytes|events|nodes)\.$/,
        );
        return true;
      });

    it('are shown in the overview, and limit each resource by its own count', async () => {
      assert.deepEqual((await overview()).quotas, [
        { resource: 'files', limit: 6, used: 0 },
        { resource: 'bytes', limit: 100, used: 0 },
        { resource: 'events', limit: 8, used: 0 },
        { resource: 'nodes', limit: 4, used: 0 },
      ]);
      await ingest({ a: '1', b: '22', c: '333', d: '', e: 'é' });
      await full(ingest({ f: '1', g: '1' }), 'files', 5);
      await full(ingest({ f: 'x'.repeat(93) }), 'bytes', 8);
      await ingest({ f: 'x'.repeat(92) });
      await events('12345678'.split(''));
      await full(storeEvent(host, { workspace_id, title: '9' }), 'events', 8);
      await nodes('1234'.split(''));
      await full(createNode(host, { workspace_id, title: '5' }), 'nodes', 4);
      assert.deepEqual(await used(), { files: 6, bytes: 100, events: 8, nodes: 4 });
    });

    it('a full workspace takes edits that do not grow, and refuses those that do as a whole', async () => {
      await ingest({ a: 'x'.repeat(90), b: '1', c: '1', d: '1', e: '1', f: '1' });
      const same = await ingest({ a: 'y'.repeat(90), b: '2' });
      assert.equal(same.changed, 2);
      await full(ingest({ a: 'z'.repeat(97), b: '3' }), 'bytes', 95);
      const { content } = await host.use<{ content: string }>('files_read', { project_id, path: 'b' });
      assert.equal(content, '2');
      const swapped = await ingest({ g: '1', a: '' }, { delete_missing: true });
      assert.deepEqual([swapped.changed, swapped.removed], [2, 5]);
      assert.deepEqual(await used(), { files: 2, bytes: 1, events: 0, nodes: 0 });

      const made = await events('12345678'.split(''));
      await host.use('memory_update_event', { event_id: made[0]?.id, title: 'a longer title than before' });
      const again = { workspace_id, title: '2', on_duplicate: 'merge', tags: ['more'] };
      assert.deepEqual((await storeEvent(host, again)).tags, ['more']);
    });

    it('deletes, merges and undo are counted at once', async () => {
      await ingest({ a: '1', b: '22', c: '333' });
      await host.use('files_delete', { project_id, paths: ['b', 'absent'] });
      assert.deepEqual(await used(), { files: 2, bytes: 4, events: 0, nodes: 0 });
      await ingest({ b: '4444' });
      await host.use('projects_delete', { project_id });

      const [a, b, c] = (await events('12345678'.split(''))).map(({ id }) => id) as [string, string, string];
      const [n, m] = (await nodes(['1', '2', '3'])).map(({ id }) => id) as [string, string];
      await host.use('memory_supersede_node', { node_id: n, title: 'new', content: 'new' });
      await full(host.use('memory_supersede_node', { node_id: m, title: 'newer', content: 'x' }), 'nodes', 4);
      await host.use('memory_delete_event', { event_id: a });
      const merged = await host.use<{ change_id: string }>('memory_merge', { ids: [b, c], keep: b });
      const removed = await host.use<{ change_id: string }>('memory_delete_many', {
        workspace_id,
        ids: [b, n],
      });
      assert.deepEqual(await used(), { files: 0, bytes: 0, events: 5, nodes: 3 });
      await events(['x', 'y', 'z']);
      await full(host.use('memory_undo', { change_id: removed.change_id }), 'events', 8);
      const [, , y] = (await host.use<{ items: Made[] }>('memory_list_events', { workspace_id })).items;
      await host.use('memory_delete_event', { event_id: y?.id });
      await host.use('memory_undo', { change_id: removed.change_id });
      await full(host.use('memory_undo', { change_id: merged.change_id }), 'events', 8);
      assert.deepEqual(await used(), { files: 0, bytes: 0, events: 8, nodes: 4 });
    });

    it('an import takes what fits, and names each line that does not', async () => {
      const source = await newWorkspace(host);
      for (const title of ['1', '2', '3']) await storeEvent(host, { workspace_id: source, title });
      for (const title of ['1', '2']) await createNode(host, { workspace_id: source, title });
      const lines = await exportLines(host, source);
      await events('1234567'.split(''));
      const first = await importLines(host, { workspace_id }, lines);
      assert.deepEqual([first.imported, first.failed], [lines.length - 2, 2]);
      const eventLines = lines.flatMap(({ record }, at) => (record === 'event' ? [at + 1] : []));
      assert.deepEqual(
        first.errors.map(({ line }) => line),
        eventLines.slice(1),
      );
      for (const { message } of first.errors) assert.match(message, /may hold 8 events and holds 8.*Delete/);
      const page = await host.use<{ items: Made[] }>('memory_list_events', { workspace_id });
      const ids = page.items.slice(0, 2).map(({ id }) => id);
      await host.use('memory_delete_many', { workspace_id, ids });
      const second = await importLines(host, { workspace_id }, lines);
      assert.equal(second.failed, 0);
      await used();
    });

    it('two processes never exceed a quota together', async () => {
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 12 }, (_, at) =>
          storeEvent(at % 2 ? host : other, { workspace_id, title: `e${at}` }),
        ),
        ...Array.from({ length: 10 }, (_, at) => ingest({ [`f${at}`]: '1' }, {}, at % 2 ? host : other)),
      ]);
      const refused = outcomes.filter((each) => each.status === 'rejected');
      for (const { reason } of refused) assert.equal((reason as ServiceError).code, 'RESOURCE_EXHAUSTED');
      assert.equal(refused.length, 4 + 4);
      assert.deepEqual(await used(), { files: 6, bytes: 6, events: 8, nodes: 0 });
    });

    it('two imports at once fill a workspace and no more', async () => {
      const line = (id: number) => ({
        record: 'event',
        id: `01900000-0000-7000-8000-0000000000${String(id).padStart(2, '0')}`,
        event_type: 'note',
        title: `t${id}`,
        content: `c${id}`,
      });
      const range = (from: number) => Array.from({ length: 6 }, (_, at) => line(from + at));
      const [a, b] = await Promise.all([
        importLines(host, { workspace_id }, range(10)),
        importLines(other, { workspace_id }, range(20)),
      ]);
      assert.deepEqual([a.imported + b.imported, a.failed + b.failed], [8, 4]);
      await used();
    });

    it('counts go with the workspace', async () => {
      await ingest({ a: '1' });
      await host.use('workspaces_delete', { workspace_id });
      assert.deepEqual(await host.database.sql('quota_counts').where({ workspace_id }), []);
    });

    it('are told of in words of their number, with the toolset of the tools that make room', async () => {
      const ones = { quota_files: 1, quota_bytes: 1, quota_events: 1, quota_nodes: 1 };
      const small = await startMemory(database, { workers: false, config: { workspaces: ones } });
      try {
        const two = async (store: typeof storeEvent | typeof createNode) => {
          for (const title of ['1', '2']) await store(small, { workspace_id, title });
        };
        const told = (resource: string, tool: string) =>
          new RegExp(
            `may hold 1 ${resource} and holds [01]; this adds \\d+\\. Delete ${resource}s with ${tool}, .* \\(tools of the toolset complete\\), or ask`,
          );
        await rejects(two(storeEvent), 'RESOURCE_EXHAUSTED', told('event', 'memory_delete_many'));
        await rejects(two(createNode), 'RESOURCE_EXHAUSTED', told('node', 'memory_delete_many'));
        await rejects(
          ingest({ a: '', b: '' }, {}, small),
          'RESOURCE_EXHAUSTED',
          told('file', 'files_delete'),
        );
        await rejects(ingest({ a: '22' }, {}, small), 'RESOURCE_EXHAUSTED', /may hold 1 byte and holds 0/);
      } finally {
        await small.stop();
      }
    });

    it('a quota that is set later counts what was there, and no quota refuses nothing', async () => {
      const free = await startMemory(database, { workers: false });
      try {
        await Promise.all(
          Array.from({ length: 9 }, (_, at) => storeEvent(free, { workspace_id, title: `${at}` })),
        );
        assert.ok(!('quotas' in (await free.use<Overview>('workspaces_overview', { workspace_id }))));
        await rejects(storeEvent(host, { workspace_id, title: '10' }), 'RESOURCE_EXHAUSTED', /holds 9/);
      } finally {
        await free.stop();
      }
    });
  });
});
