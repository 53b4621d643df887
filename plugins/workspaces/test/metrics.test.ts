import assert from 'node:assert/strict';
import { eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import { queueOf, queueProbe } from './queue-probe.js';

eachDatabase((fresh, engine) => {
  describe('metrics of the queue', () => {
    let host: TestHost;
    before(async () => {
      const database = await fresh();
      host = await testHost({ plugins: [workspaces, queueProbe], database, workers: false, listen: true });
    });
    after(() => host.stop());

    const gauge = async (name: string): Promise<number> => {
      const text = await (await fetch(`${host.url}/metrics`)).text();
      const value = new RegExp(`^${name}(?:\\{queue="files.probe"\\})? (\\S+)$`, 'm').exec(text)?.[1];
      assert.ok(value !== undefined, text);
      return Number(value);
    };
    const depth = () => gauge('service_mcp_queue_depth');
    const age = () => gauge('service_mcp_queue_age_seconds');
    const setWaiting = (path: string, seconds: number) =>
      host.database
        .sql('file_work')
        .whereIn('id', host.database.sql('files').where({ path }).select('id'))
        .update({ pending_since: new Date(Date.now() - seconds * 1000).toISOString() });

    it('count waiting files, and the age of the oldest', async () => {
      assert.deepEqual([await depth(), await age()], [0, 0]);
      await host.use('workspaces_create', { name: 'w' });
      const { id } = await host.use<{ id: string }>('projects_create', { name: 'p' });
      const ingest = (content: string) =>
        host.use('files_ingest', { project_id: id, files: ['a', 'b'].map((path) => ({ path, content })) });
      await ingest('1');
      assert.equal(await depth(), 2);
      assert.ok((await age()) < 30);
      await setWaiting('b', 3600);
      assert.ok(Math.abs((await age()) - 3600) < 30);
      await setWaiting('a', 7200);
      await ingest('2');
      assert.ok((await age()) < 30, 'a file that changes while it waits is what was just saved');
      await setWaiting('b', 3600);
      assert.ok(Math.abs((await age()) - 3600) < 30, 'the oldest of them counts');
      const queue = await queueOf(host);
      const settle = async () =>
        queue.settle(
          (await queue.claim({ limit: 10, maxBytes: 1e6 })).map(({ id: file, revision }) => ({
            id: file,
            revision,
            status: 'indexed' as const,
            chunks: 1,
          })),
        );
      await settle();
      assert.deepEqual([await depth(), await age()], [0, 0]);
      await ingest('3');
      assert.ok((await age()) < 30, 'an indexed file waits again');
      await settle();
      await host.use('files_delete', { project_id: id, paths: ['a'] });
      assert.equal(await depth(), 1, 'removals wait too');
    });

    it('read an index of waiting files alone', async () => {
      const isPostgres = engine === 'postgresql';
      await host.database.transaction(async (sql) => {
        if (isPostgres) await sql.raw('SET LOCAL enable_seqscan = off'); // of few rows, a scan is cheaper
        for (const [query, index] of [
          // Either is good: SQLite takes one that begins with the status.
          [
            "SELECT count(*) FROM file_work WHERE consumer = 'probe' AND indexing_status = 'pending'",
            /file_work_claim|file_work_age/,
          ],
          [
            "SELECT pending_since FROM file_work WHERE consumer = 'probe' AND indexing_status = 'pending' ORDER BY pending_since LIMIT 1",
            /file_work_age/,
          ],
        ] as const) {
          const explain = isPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
          const plan = (await sql.raw(`${explain} ${query}`)) as object;
          assert.match(JSON.stringify('rows' in plan ? plan.rows : plan), index);
        }
      });
    });

    it('leave the rest of a scrape alone where the database is away', async () => {
      await host.database.sql.schema.renameTable('file_work', 'file_work_away');
      const text = await (await fetch(`${host.url}/metrics`)).text();
      assert.match(text, /^process_cpu_seconds_total /m);
      assert.doesNotMatch(text, /^service_mcp_(?:queue_depth|queue_age)/m);
      await host.database.sql.schema.renameTable('file_work_away', 'file_work');
      assert.equal(await depth(), 1);
    });
  });
});
