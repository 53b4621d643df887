import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { closed, definePlugin, defineTool } from '@service-mcp/core';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import { FileQueue } from '@service-mcp/plugin-workspaces/contract';

/** Hands the queue to the test: what an indexer would use. */
let queue: FileQueue;
const probe = definePlugin({
  id: 'probe',
  description: 'Takes hold of the queue.',
  api: '^1',
  toolsets: [
    {
      id: 'probe',
      description: 'p',
      tools: [
        defineTool({
          name: 'probe_take',
          title: 'Take',
          description: 'Takes the queue.',
          input: Type.Object({}, closed),
          output: Type.Object({}, closed),
          effect: 'read',
          access: { scope: 'probe:read', in: 'deployment' },
          uses: { files: FileQueue },
          handler(_input, { files }) {
            queue = files;
            return Promise.resolve({});
          },
        }),
      ],
    },
  ],
});

eachDatabase((fresh) => {
  describe('file queue', () => {
    let host: TestHost;
    let project: string;
    beforeEach(async () => {
      host = await testHost({ plugins: [workspaces, probe], database: await fresh() });
      await host.use('probe_take');
      await host.use('workspaces_create', { name: 'w' });
      project = (await host.use<{ id: string }>('projects_create', { name: 'p' })).id;
    });
    afterEach(() => host.stop());

    const ingest = (...names: string[]) =>
      host.use('files_ingest', {
        project_id: project,
        files: names.map((path) => ({ path, content: `content of ${path}` })),
      });
    const status = () => host.use('projects_index_status', { project_id: project });

    it('gives texts, and takes outcomes', async () => {
      await ingest('a', 'b');
      const files = await queue.claim(10, 1e6);
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
      assert.equal(await queue.indexedTotal(), 2);
      assert.equal((await queue.claim(10, 1e6)).length, 0);
    });

    it('keeps a file pending that changed while it was indexed', async () => {
      await ingest('a');
      const [claimed] = await queue.claim(10, 1e6);
      assert.ok(claimed);
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'newer' }] });
      await queue.settle([{ id: claimed.id, revision: claimed.revision, status: 'indexed', chunks: 1 }]);
      assert.equal((await status())['pending'], 1);
      assert.equal((await queue.claim(10, 1e6))[0]?.text, 'newer');
    });

    it('bounds a batch by bytes', async () => {
      await ingest('a', 'b', 'c');
      assert.equal((await queue.claim(10, 25)).length, 2);
    });

    it('tries files that may end the process in ever smaller batches, each alone at last', async () => {
      await ingest(...Array.from({ length: 100 }, (_, i) => `f${i}`));
      const attempts = (value: number) => host.database.sql('files').update({ attempts: value });
      for (const [tried, together] of [
        [2, 100],
        [3, 64],
        [4, 8],
        [5, 1],
        [9, 1],
      ] as const) {
        await attempts(tried);
        assert.equal((await queue.claim(500, 1e6)).length, together, `tried ${tried} times`);
      }
      await attempts(3);
      await ingest('never tried');
      assert.deepEqual(
        (await queue.claim(500, 1e6)).map(({ path }) => path),
        ['never tried'],
      );
    });

    it('retries a failure with back-off, then shows the error', async () => {
      await ingest('a');
      for (let attempt = 1; attempt <= 5; attempt++) {
        await host.database.sql('files').update({ next_attempt_at: '' });
        const [file] = await queue.claim(10, 1e6);
        assert.ok(file, `attempt ${attempt}`);
        await queue.settle([
          { id: file.id, revision: file.revision, status: 'failed', error: 'the parser gave up' },
        ]);
        assert.equal((await queue.claim(10, 1e6)).length, 0, 'not before its time');
      }
      assert.equal((await status())['failed'], 1);
      const { items } = await host.use<{ items: Array<{ error: string }> }>('files_list', {
        project_id: project,
        indexing_status: 'failed',
      });
      assert.equal(items[0]?.error, 'the parser gave up');
      await host.use('files_ingest', { project_id: project, files: [{ path: 'a', content: 'mended' }] });
      assert.equal((await queue.claim(10, 1e6)).length, 1, 'a new content is a new chance');
    });

    it('hands out removals, and purges the file, the project and the workspace after them', async () => {
      await ingest('a', 'b');
      await queue.settle(
        (await queue.claim(10, 1e6)).map(({ id, revision }) => ({
          id,
          revision,
          status: 'indexed' as const,
          chunks: 1,
        })),
      );
      await host.use('files_delete', { project_id: project, paths: ['a'] });
      const [removal] = await queue.claim(10, 1e6);
      assert.ok(removal?.removed);
      assert.equal((await queue.states([removal.id])).size, 0);
      await queue.settle([{ id: removal.id, revision: removal.revision, status: 'indexed', chunks: 0 }]);
      assert.equal((await host.database.sql('files').where({ path: 'a' })).length, 0);
      await host.use('workspaces_delete', {
        workspace_id: (await host.use<{ id: string }>('workspaces_get')).id,
      });
      await queue.settle(
        (await queue.claim(10, 1e6)).map(({ id, revision }) => ({
          id,
          revision,
          status: 'indexed' as const,
          chunks: 0,
        })),
      );
      for (const table of ['files', 'file_contents', 'projects', 'workspaces', 'memberships']) {
        assert.equal((await host.database.sql(table)).length, 0, table);
      }
    });

    it('requeues everything for an index that is built anew', async () => {
      await ingest('a', 'b');
      await queue.settle(
        (await queue.claim(10, 1e6)).map(({ id, revision }) => ({
          id,
          revision,
          status: 'indexed' as const,
          chunks: 1,
        })),
      );
      assert.equal(await queue.requeueAll(), 2);
      assert.equal((await queue.claim(10, 1e6)).length, 2);
    });
  });
});
