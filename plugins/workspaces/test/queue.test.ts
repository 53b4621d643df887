import assert from 'node:assert/strict';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import type { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { queueOf, queueProbe } from './queue-probe.js';

eachDatabase((fresh) => {
  describe('file queue', () => {
    let host: TestHost;
    let queue: FileChanges;
    let workspace: string;
    let project: string;
    beforeEach(async () => {
      host = await testHost({ plugins: [workspaces, queueProbe], database: await fresh() });
      queue = await queueOf(host);
      workspace = (await host.use<{ id: string }>('workspaces_create', { name: 'w' })).id;
      project = (await host.use<{ id: string }>('projects_create', { name: 'p' })).id;
    });
    afterEach(() => host.stop());

    const ingest = (...names: string[]) =>
      host.use('files_ingest', {
        project_id: project,
        files: names.map((path) => ({ path, content: `content of ${path}` })),
      });
    const settleAll = async (changes: FileChanges) => {
      const files = await changes.claim({ limit: 100, maxBytes: 1e6 });
      await changes.settle(files.map(({ id, revision }) => ({ id, revision, status: 'indexed', chunks: 1 })));
      return files.map(({ path }) => path);
    };
    const status = () => host.use('projects_index_status', { project_id: project });

    it('gives texts, and takes outcomes', async () => {
      await ingest('a', 'b');
      const files = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.deepEqual(
        files.map((file) => [file.path, file.text, file.attempts]),
        [
          ['a', 'content of a', 1],
          ['b', 'content of b', 1],
        ],
      );
      await queue.settle(
        files.map(({ id, revision }) => ({ id, revision, status: 'indexed' as const, chunks: 3 })),
      );
      const { pending, indexed, state } = await status();
      assert.deepEqual([pending, indexed, state], [0, 2, 'ready']);
      assert.equal(await queue.indexedTotal(workspace), 2);
      assert.equal((await queue.claim({ limit: 10, maxBytes: 1e6 })).length, 0);
    });

    it('takes more outcomes at once than a statement has variables', async () => {
      await ingest('a', 'b');
      const files = await queue.claim({ limit: 10, maxBytes: 1e6 });
      const outcomes = files.map(
        ({ id, revision }) => ({ id, revision, status: 'indexed', chunks: 1 }) as const,
      );
      const [first, last] = outcomes;
      assert.ok(first && last);
      const others = Array.from({ length: 33_000 }, (_, at) => ({ ...first, id: `gone ${at}` }));
      await queue.settle([first, ...others, last]);
      assert.equal((await status())['indexed'], 2);
    });

    it('keeps a file pending that changed while it was indexed', async () => {
      await ingest('a');
      const [claimed] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(claimed);
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'newer' }] });
      await queue.settle([{ id: claimed.id, revision: claimed.revision, status: 'indexed', chunks: 1 }]);
      assert.equal((await status())['pending'], 1);
      assert.equal((await queue.claim({ limit: 10, maxBytes: 1e6 }))[0]?.text, 'newer');
    });

    it('bounds a batch by bytes', async () => {
      await ingest('a', 'b', 'c');
      assert.equal((await queue.claim({ limit: 10, maxBytes: 25 })).length, 2);
    });

    it('tries files that may end the process in ever smaller batches, each alone at last', async () => {
      await ingest(...Array.from({ length: 100 }, (_, i) => `f${i}`));
      const attempts = (value: number) => host.database.sql('file_work').update({ attempts: value });
      for (const [tried, together] of [
        [2, 100],
        [3, 64],
        [4, 8],
        [5, 1],
        [9, 1],
      ] as const) {
        await attempts(tried);
        assert.equal(
          (await queue.claim({ limit: 500, maxBytes: 1e6 })).length,
          together,
          `tried ${tried} times`,
        );
      }
    });

    it('tries failed files again on request, all or some, and no others', async () => {
      await ingest('a', 'b', 'c');
      const files = await queue.claim({ limit: 10, maxBytes: 1e6 });
      const outcomes = files.map(({ id, revision, path }) =>
        path === 'c'
          ? ({ id, revision, status: 'indexed', chunks: 1 } as const)
          : ({ id, revision, status: 'failed', error: 'no', permanent: true } as const),
      );
      await queue.settle(outcomes);
      const retry = (paths?: string[]) =>
        host.use<{ queued: number }>('projects_retry_index', {
          project_id: project,
          ...(paths && { paths }),
        });
      assert.deepEqual(await retry(['c', 'absent']), { queued: 0 });
      assert.deepEqual(await retry(['b']), { queued: 1 });
      const { state, pending, failed } = await status();
      assert.deepEqual([state, pending, failed], ['indexing', 1, 1]);
      const both = await Promise.all([retry(), retry()]);
      assert.equal(
        both.reduce((sum, { queued }) => sum + queued, 0),
        1,
      );
      assert.deepEqual((await settleAll(queue)).sort(), ['a', 'b']);
      assert.equal((await status())['state'], 'ready');
    });

    it('retries a failure with back-off, then shows the error', async () => {
      await ingest('a');
      for (let attempt = 1; attempt <= 5; attempt++) {
        await host.database.sql('file_work').update({ next_attempt_at: '' });
        const [file] = await queue.claim({ limit: 10, maxBytes: 1e6 });
        assert.ok(file, `attempt ${attempt}`);
        await queue.settle([
          { id: file.id, revision: file.revision, status: 'failed', error: 'the parser gave up' },
        ]);
        assert.equal((await queue.claim({ limit: 10, maxBytes: 1e6 })).length, 0, 'not before its time');
      }
      assert.equal((await status())['failed'], 1);
      const { items } = await host.use<{ items: Array<{ error: string }> }>('files_list', {
        project_id: project,
        indexing_status: 'failed',
      });
      assert.equal(items[0]?.error, 'the parser gave up');
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'fixed' }] });
      assert.equal(
        (await queue.claim({ limit: 10, maxBytes: 1e6 })).length,
        1,
        'a new content is a new chance',
      );
    });

    it('hands out removals, and deletes the file after them', async () => {
      await ingest('a', 'b');
      await settleAll(queue);
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      const [removal] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(removal?.removed);
      assert.equal((await queue.states([removal.id])).size, 0);
      await queue.settle([{ id: removal.id, revision: removal.revision, status: 'indexed' }]);
      assert.deepEqual(await host.database.sql('files').pluck('path'), ['b']);
      assert.equal((await host.database.sql('file_work')).length, 1);
    });

    it('takes a file up again that was removed and comes back before its removal is settled', async () => {
      await ingest('a');
      await settleAll(queue);
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      const [removal] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(removal?.removed);
      await ingest('a');
      await queue.settle([{ id: removal.id, revision: removal.revision, status: 'indexed' }]);
      const [again] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.deepEqual([again?.removed, again?.text], [false, 'content of a']);
    });

    it('requeues everything for an index that is rebuilt', async () => {
      await ingest('a', 'b');
      await settleAll(queue);
      assert.equal(await queue.requeue('another'), 0);
      assert.equal(await queue.requeue(workspace), 2);
      assert.equal((await queue.claim({ limit: 10, maxBytes: 1e6 })).length, 2);
    });
  });
});
