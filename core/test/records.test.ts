import assert from 'node:assert/strict';
import { WorkQueues, WorkspaceData, requeueRows } from '@service-mcp/core';
import { callerWith, eachDatabase, probe, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { followed, notesPlugin, type Label, type Note } from './notes-plugin.js';

describe('records', () => {
  eachDatabase((fresh) => {
    const found = probe({ queues: WorkQueues, data: WorkspaceData });
    const [ann, bob] = ['ann', 'bob'].map((name) => ({ as: callerWith({ name }) }));
    let host: TestHost;
    before(async () => {
      host = await testHost({ plugins: [notesPlugin, found.plugin], database: await fresh() });
    });
    after(() => host.stop());

    const create = (workspace_id: string, title: string) =>
      host.use<Note>('notes_create', { workspace_id, title }, ann);
    const titles = async (as: typeof ann, args: object = {}) =>
      (await host.use<{ items: Note[] }>('notes_list', args, as)).items.map((note) => note.title);
    const events = async (id: string) => {
      const rows: Array<{ type: string; data: string }> = await host.database
        .sql('change_events')
        .orderBy('id');
      return rows.filter(({ data }) => data === JSON.stringify({ id })).map(({ type }) => type);
    };

    it('create once, however many calls create at once; per workspace', async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => create('w1', 'lamp')));
      assert.equal(new Set(made.map(({ id }) => id)).size, 1);
      const { id } = made[0] ?? assert.fail();
      assert.notEqual((await create('w2', 'lamp')).id, id);
      assert.deepEqual(await events(id), ['note.created']);
    });

    it('list newest first what the caller may see, filtered by values', async () => {
      await create('w1', 'bell');
      await create('w2', 'door');
      assert.deepEqual((await titles(ann)).sort(), ['bell', 'door', 'lamp', 'lamp']);
      assert.deepEqual(await titles(bob), ['bell', 'lamp']);
      assert.deepEqual(await titles(bob, { title: 'lamp' }), ['lamp']);
    });

    it('are absent for a caller of another workspace', async () => {
      const { id } = await create('w2', 'secret');
      for (const tool of ['notes_get', 'notes_finish', 'notes_delete'])
        await rejects(host.use(tool, { id }, bob), 'NOT_FOUND', /no note .*notes_list/);
      assert.deepEqual(await events(id), ['note.created']);
      assert.equal((await host.use<Note>('notes_get', { id }, ann)).state, 'open');
    });

    it('change once, and wait for the index again', async () => {
      const { id, indexing_status } = await create('w1', 'chair');
      assert.equal(indexing_status, 'pending');
      await host.database.sql('notes').where({ id }).update({ indexing_status: 'indexed' });
      const done = await host.use<Note>('notes_finish', { id }, bob);
      assert.deepEqual([done.state, done.indexing_status], ['done', 'pending']);
      assert.deepEqual(await host.use<Note>('notes_finish', { id }, bob), done);
      assert.deepEqual(await events(id), ['note.created', 'note.done']);
    });

    it('record one event, however many calls make the same change at once', async () => {
      const { id } = await create('w1', 'stool');
      const same = Array.from({ length: 8 }, () => host.use<Note>('notes_finish', { id }, bob));
      for (const { state } of await Promise.all(same)) assert.equal(state, 'done');
      assert.deepEqual(await events(id), ['note.created', 'note.done']);
    });

    it('change together or not at all, and a follower takes part', async () => {
      const [a, b] = [await create('w1', 'solid'), await create('w1', 'fragile')];
      assert.deepEqual(a.marks, ['"new"']);
      followed.length = 0;
      await rejects(host.use('notes_swap', { id: a.id, other: b.id }, ann), 'INTERNAL');
      assert.deepEqual(followed, ['updated solid ["new"] by ann', 'updated fragile ["new"] by ann']);
      assert.equal((await host.use<Note>('notes_get', { id: a.id }, ann)).state, 'open');
      assert.deepEqual(await events(a.id), ['note.created']);
      const c = await create('w1', 'other');
      const swapped = await host.use<Note>('notes_swap', { id: a.id, other: c.id }, ann);
      assert.deepEqual([swapped.id, swapped.state], [c.id, 'swapped']);
      assert.deepEqual(await events(a.id), ['note.created', 'note.done']);
    });

    it('leave a removed row to the index, and can be created again meanwhile', async () => {
      const { id } = await create('w1', 'table');
      assert.equal((await host.use<Note>('notes_delete', { id }, bob)).title, 'table');
      await rejects(host.use('notes_delete', { id }, bob), 'NOT_FOUND');
      assert.notEqual((await create('w1', 'table')).id, id);
      const queue = found.services().queues.open({ name: 'notes', table: 'notes' });
      const claimed = await queue.claim({ limit: 100 });
      assert.equal(claimed.find((row) => row.id === id)?.deleted, 1);
      assert.deepEqual(await events(id), ['note.created', 'note.gone']);
    });

    it('of no queue wait for nothing, and are gone once removed; what follows them is work', async () => {
      const label = await host.use<Label>('notes_label', { workspace_id: 'w1', title: 'red' }, ann);
      assert.equal(label.indexing_status, 'indexed');
      const [job] = (await host.database.sql('label_jobs')) as Array<{ pending_since: string }>;
      assert.ok(job && job.pending_since >= label.created_at, 'it waits since then, not since the migration');
      const removed = await host.use<Label>('notes_unlabel', { id: label.id }, ann);
      assert.deepEqual([removed.title, removed.indexing_status], ['last', 'indexed']);
      assert.deepEqual(await host.database.sql('labels'), []);
      await rejects(host.use('notes_unlabel', { id: label.id }, ann), 'NOT_FOUND');
    });

    it('are counted, exported and erased with their workspace', async () => {
      const { data } = found.services();
      const notes = data.find((each) => 'count' in each) ?? assert.fail();
      assert.deepEqual(await notes.count?.('w2'), { notes: 3 });
      assert.equal(notes.scope, 'notes:read');
      const page = await notes.export?.('w2', undefined, 1);
      const fields = Object.keys(page?.records[0] ?? {});
      assert.deepEqual(fields.sort(), [
        'created_at',
        'id',
        'marks',
        'record',
        'state',
        'title',
        'updated_at',
      ]);
      assert.deepEqual(page?.records[0]?.['marks'], ['"new"']);
      await host.database.transaction((sql) => notes.erase(sql, 'w2'));
      assert.deepEqual(await host.database.sql('notes').where({ workspace_id: 'w2' }), []);
    });

    it('wait for the index again where a migration says so, whatever was claimed before', async () => {
      const queue = found.services().queues.open({ name: 'notes', table: 'notes' });
      const { database } = host;
      const claimed = await queue.claim({ limit: 100 });
      await database.transaction((sql) => requeueRows(sql, 'notes'));
      await database.transaction((sql) =>
        queue.settle(
          sql,
          claimed.map(({ id, revision }) => ({ id, revision, status: 'indexed' })),
        ),
      );
      assert.equal((await queue.counts()).indexed, 0);
    });

    it('are refused where the index is missing that makes their creation idempotent', async () => {
      await host.database.sql.raw('DROP INDEX notes_unique_workspace_id_title');
      await rejects(create('w1', 'alone'), 'INTERNAL');
      assert.deepEqual(await titles(ann, { title: 'alone' }), []);
    });
  });
});
