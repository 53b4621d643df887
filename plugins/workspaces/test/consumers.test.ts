import assert from 'node:assert/strict';
import {
  behindLock,
  eachDatabase,
  onDatabase,
  testHost,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import type { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { queueOf, queueProbe, secondConsumer, secondQueue } from './queue-probe.js';

eachDatabase((fresh) => {
  describe('consumers of file changes', () => {
    let database: TestDatabase;
    let host: TestHost;
    let project: string;

    const start = async (...more: (typeof queueProbe)[]) => {
      host = await testHost({ plugins: [workspaces, ...more], database, workers: false });
    };
    beforeEach(async () => {
      database = await fresh();
      await start(queueProbe, secondConsumer);
      await host.use('workspaces_create', { name: 'w' });
      project = (await host.use<{ id: string }>('projects_create', { name: 'p' })).id;
    });
    afterEach(() => host.stop());

    const ingest = (...paths: string[]) =>
      host.use('files_ingest', {
        project_id: project,
        files: paths.map((path) => ({ path, content: `content of ${path}` })),
      });
    const settle = async (changes: FileChanges, more: object = {}) => {
      const files = await changes.claim({ limit: 100, maxBytes: 1e6 });
      await changes.settle(
        files.map(({ id, revision }) => ({ id, revision, status: 'indexed' as const, ...more })),
      );
      return files.map(({ path, removed }) => (removed ? `-${path}` : path));
    };
    const counts = async () => {
      const { pending, indexed, failed } = await host.use('projects_index_status', { project_id: project });
      return { pending, indexed, failed };
    };
    const waiting = async () =>
      (await host.use('projects_index_status', { project_id: project, by_step: true }))['waiting_for'];
    const types = () => host.database.sql('change_events').where('type', 'like', 'file.%').pluck('type');

    it('each see every file, which is indexed when all have settled it', async () => {
      await ingest('a', 'b');
      assert.deepEqual(await settle(await queueOf(host)), ['a', 'b']);
      assert.deepEqual(await counts(), { pending: 2, indexed: 0, failed: 0 });
      assert.deepEqual(await types(), []);
      assert.deepEqual(await settle(secondQueue()), ['a', 'b']);
      assert.deepEqual(await counts(), { pending: 0, indexed: 2, failed: 0 });
      assert.deepEqual(await types(), ['file.indexed', 'file.indexed']);
    });

    it('tell how many files each of them has still to see', async () => {
      assert.deepEqual(await waiting(), { probe: 0, second: 0 });
      await ingest('a', 'b');
      await settle(secondQueue());
      await ingest('c');
      assert.deepEqual(await waiting(), { probe: 3, second: 1 });
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      assert.deepEqual(await waiting(), { probe: 2, second: 1 }, 'a removal is not a file');
    });

    it('a removed file stays until all have seen it', async () => {
      await ingest('a');
      for (const changes of [await queueOf(host), secondQueue()]) await settle(changes);
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      assert.deepEqual(await settle(secondQueue()), ['-a']);
      assert.equal((await host.database.sql('files')).length, 1);
      assert.deepEqual(await settle(await queueOf(host)), ['-a']);
      assert.equal((await host.database.sql('files')).length, 0);
      assert.equal((await types()).at(-1), 'file.removed');
    });

    it('a file that comes back before all have seen its removal is not settled by a claim of its former text', async () => {
      const first = await queueOf(host);
      const claim = () => first.claim({ limit: 1, maxBytes: 1e6 });
      await ingest('a');
      const [former] = await claim();
      assert.ok(former);
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      assert.deepEqual(await settle(first), ['-a']);
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'newer' }] });
      await first.settle([{ id: former.id, revision: former.revision, status: 'indexed', chunks: 1 }]);
      const [again] = await claim();
      assert.deepEqual([again?.id, again?.text], [former.id, 'newer']);
    });

    it('a file that one of them fails has failed, with the reason', async () => {
      await ingest('a');
      await settle(secondQueue(), { status: 'failed', error: 'no grammar', permanent: true });
      assert.deepEqual(await counts(), { pending: 1, indexed: 0, failed: 0 });
      await settle(await queueOf(host));
      assert.deepEqual(await counts(), { pending: 0, indexed: 0, failed: 1 });
      const { items } = await host.use<{ items: Array<{ error: string }> }>('files_list', {
        project_id: project,
      });
      assert.equal(items[0]?.error, 'no grammar');
    });

    it('settle the same files at the same moment and none is left pending', async () => {
      const first = await queueOf(host);
      for (let round = 0; round < 10; round += 1) {
        await host.use('files_ingest', {
          project_id: project,
          files: Array.from({ length: 8 }, (_, i) => ({ path: `f${i}`, content: `${round} ${i}` })),
        });
        await Promise.all([settle(first), settle(secondQueue())]);
        assert.deepEqual(await counts(), { pending: 0, indexed: 8, failed: 0 }, `round ${round}`);
      }
    });

    it('one that is enabled later gets existing files, and nothing waits for one that is gone', async () => {
      await ingest('a', 'b', 'c');
      await settle(await queueOf(host));
      await host.use('files_delete', { project_id: project, paths: ['c'] });
      await settle(await queueOf(host));
      await host.stop();
      await start(queueProbe);
      assert.deepEqual(await counts(), { pending: 0, indexed: 2, failed: 0 }, 'the second is gone');
      assert.deepEqual(await host.database.sql('files').orderBy('path').pluck('path'), ['a', 'b']);
      await host.stop();
      await start(queueProbe, secondConsumer);
      assert.deepEqual(await counts(), { pending: 2, indexed: 0, failed: 0 }, 'the second is back');
      assert.deepEqual(await settle(secondQueue()), ['a', 'b']);
      assert.deepEqual(await counts(), { pending: 0, indexed: 2, failed: 0 });
    });

    it('leave no error of one that is gone, and are not changed by a command with other plugins', async () => {
      await ingest('a');
      await settle(await queueOf(host));
      await settle(secondQueue(), { status: 'failed', error: 'no grammar', permanent: true });
      const command = await testHost({ plugins: [workspaces], database, workers: false, isService: false });
      await command.stop();
      assert.deepEqual(await counts(), { pending: 0, indexed: 0, failed: 1 });
      await host.stop();
      await start(queueProbe);
      const files = await host.database.sql('files').select('indexing_status', 'indexing_error');
      assert.deepEqual(files, [{ indexing_status: 'indexed', indexing_error: null }]);
    });

    it('one that is disabled and enabled again is not settled by a claim of its former work', async () => {
      await host.stop();
      await start(queueProbe);
      await ingest('a');
      await host.stop();
      await start(queueProbe, secondConsumer);
      const [first, late] = [host, secondQueue()];
      const [former] = await late.claim({ limit: 1, maxBytes: 1e6 });
      assert.ok(former);
      await start(queueProbe); // another process, without the consumer
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'newer' }] });
      await host.stop();
      await start(queueProbe, secondConsumer);
      await late.settle([{ id: former.id, revision: former.revision, status: 'indexed' }]);
      await first.stop();
      const [again] = await secondQueue().claim({ limit: 1, maxBytes: 1e6 });
      assert.equal(again?.text, 'newer');
    });

    it('without any, a file is indexed as it is stored and gone as it is deleted', async () => {
      await host.stop();
      await start();
      await ingest('a', 'b');
      assert.deepEqual(await counts(), { pending: 0, indexed: 2, failed: 0 });
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      assert.deepEqual(await host.database.sql('files').pluck('path'), ['b']);
    });

    it('lose their claims on a project that is deleted meanwhile', async () => {
      await ingest('a');
      const changes = await queueOf(host);
      const [file] = await changes.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(file);
      await host.use('projects_delete', { project_id: project });
      await changes.settle([{ id: file.id, revision: file.revision, status: 'indexed', chunks: 1 }]);
      for (const table of ['files', 'file_work', 'file_contents', 'projects'])
        assert.equal((await host.database.sql(table)).length, 0, table);
    });
  });
});

onDatabase('postgresql', (fresh) => {
  describe('a consumer that two processes enable at once', () => {
    it('gets every file once, and both start', async () => {
      const database = await fresh();
      const start = (...more: (typeof queueProbe)[]) =>
        testHost({ plugins: [workspaces, ...more], database, workers: false });
      const former = await start(queueProbe);
      await former.use('workspaces_create', { name: 'w' });
      const { id: project_id } = await former.use<{ id: string }>('projects_create', { name: 'p' });
      await former.use('files_ingest', { project_id, files: [{ path: 'a', content: 'text' }] });
      const enable = () => start(queueProbe, secondConsumer);
      const started = await behindLock(
        former.database,
        (sql) => sql.raw('LOCK TABLE file_work IN SHARE MODE'),
        [enable, enable],
      );
      const work = await former.database.sql('file_work').where({ consumer: 'second' });
      for (const each of started) if (each.status === 'fulfilled') await each.value.stop();
      await former.stop();
      assert.deepEqual(
        started.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      assert.equal(work.length, 1);
    });
  });
});
