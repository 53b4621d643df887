import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { contribute, definePlugin } from '@service-mcp/core';
import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { FileConsumers } from '@service-mcp/plugin-workspaces/contract';
import { site, type Site } from './harness.js';

const BULK = 2000;
/** Files of one claim at most. One that takes the rest of the folder would take what is saved just then with it, at its end. */
const CLAIMED = 256;
/** Files of a folder that is prepared in many batches. */
const AHEAD = 240;

/** The order in which files left the queue. */
async function settledOrder(at: Site): Promise<string[]> {
  const rows = (await at.host.database
    .sql('change_events')
    .whereIn('type', ['file.indexed', 'file.removed'])
    .orderBy([{ column: 'tx' }, { column: 'id' }])
    .select('data')) as { data: string }[];
  return rows.map(({ data }) => (JSON.parse(data) as { path: string }).path);
}

/** Order and truth of the index while a folder is being indexed. */
export function freshnessSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('while a folder is being indexed', () => {
      let database: TestDatabase;
      let at: Site;
      beforeEach(async () => {
        database = await fresh();
        at = await site({
          database,
          config: { training: false, batch_documents: CLAIMED / 8, indexing_threads: 1 },
        });
      });
      afterEach(() => at.stop());

      it('what was just saved is indexed first, and what was just deleted is removed first', async () => {
        await at.ingest({ 'deleted.md': 'The narwhal dives.\n', 'changed.md': 'Old words.\n' });
        await at.settled();
        const bulk = Array.from({ length: BULK }, (_, n) => [
          `bulk/${n}.md`,
          `Passage number ${n} of many.\n`,
        ]);
        await at.ingest(Object.fromEntries(bulk) as Record<string, string>);
        const waiting = async () =>
          (await at.host.use<{ pending: number }>('projects_index_status', { project_id: at.projectId }))
            .pending;
        while ((await waiting()) === BULK) await delay(5);
        await at.ingest({ 'changed.md': 'The walrus sleeps.\n', 'new.md': 'The walrus wakes.\n' });
        await at.ingest({ [`bulk/${BULK - 1}.md`]: 'The walrus eats.\n' }); // saved again while it waits
        await at.host.use('files_delete', { project_id: at.projectId, paths: ['deleted.md'] });
        assert.ok((await waiting()) > 2 * CLAIMED, 'the folder is not done yet');
        await at.settled();
        const order = await settledOrder(at);
        for (const path of ['changed.md', 'new.md', 'deleted.md', `bulk/${BULK - 1}.md`]) {
          const behind = order.slice(order.lastIndexOf(path)).filter((other) => other.startsWith('bulk/'));
          assert.ok(
            behind.length > BULK / 8,
            `${path} was done with ${behind.length} files of the folder left`,
          );
        }
        assert.equal(new Set(order).size, BULK + 3);
        assert.equal(
          order.filter((path) => path.startsWith('bulk/')).length,
          BULK,
          'each file is indexed once',
        );
        const { results } = await at.search('keyword', { query: 'walrus' });
        assert.equal(results.length, 3);
      });
    });

    it('what is saved again while it is prepared is found as it is now', async () => {
      const config = { training: false, batch_documents: 4, indexing_threads: 4 };
      const at = await site({ database: await fresh(), config });
      try {
        const folder = Array.from({ length: AHEAD }, (_, n) => [`${n}.md`, `The seal number ${n} sleeps.\n`]);
        await at.ingest(Object.fromEntries(folder) as Record<string, string>);
        const begun = () => at.host.database.sql('file_work').where('attempts', '>', 0).pluck('id');
        while ((await begun()).length === 0) await delay(1);
        for (let n = 0; n < AHEAD; n += 8)
          await at.ingest({ [`${n}.md`]: `The walrus number ${n} wakes.\n` });
        await at.settled();
        const pathsOf = async (mode: 'keyword' | 'pattern', query: string) => {
          const { results } = await at.search(mode, { query, limit: 100 });
          return results.map(({ path }) => path).sort();
        };
        for (const mode of ['keyword', 'pattern'] as const) {
          const found = await pathsOf(mode, 'walrus');
          assert.equal(found.length, AHEAD / 8, `${mode}: ${found.join(' ')}`);
          const old = await pathsOf(mode, 'seal');
          assert.deepEqual(
            old.filter((path) => found.includes(path)),
            [],
            mode,
          );
        }
      } finally {
        await at.stop();
      }
    });

    it('a search says what it has yet to index itself', async () => {
      const slow = definePlugin({
        id: 'slow',
        description: 'Another index, which never gets to a file.',
        api: '^1',
        requires: ['workspaces'],
        services: [contribute(FileConsumers, { uses: {}, create: () => ({ name: 'slow' }) })],
      });
      const at = await site({ database: await fresh(), config: { training: false }, plugins: [slow] });
      try {
        await at.ingest({ 'seal.md': 'The walrus sleeps.\n' });
        const find = () => at.search('keyword', { query: 'walrus' });
        while ((await find()).results.length === 0) await delay(20);
        while ((await find()).index.pending > 0) await delay(20);
        assert.equal((await find()).index.state, 'ready');
        const status = await at.host.use<object>('projects_index_status', { project_id: at.projectId });
        assert.deepEqual({ ...status, pending: 1, state: 'indexing' }, status, 'others still wait');
      } finally {
        await at.stop();
      }
    });
  });
}
