import assert from 'node:assert/strict';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Leases } from '@service-mcp/core';
import { onDatabase, probe, type TestDatabase } from '@service-mcp/core/testing';
import { IndexTables } from '@service-mcp/plugin-search/internals';
import { attach, site } from './harness.js';

/** A vanished index, a restart over the same one, and a repair that loses its lease. */
export function repairSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    it('a vanished folder reads as degraded, takes no writes, and is rebuilt from SQL', async () => {
      const database = await fresh();
      const at = await site({ database });
      try {
        await at.ingest({ 'a.ts': 'export const walrus = 1;\n', 'b.md': '# Sea\n\nThe walrus sleeps.\n' });
        await at.settled();
        assert.equal((await at.search('keyword', { query: 'walrus' })).total, 2);

        await rm(join(database.dataDir, 'lancedb'), { recursive: true, force: true });
        await delay(1100); // the time that a look at the index is trusted
        for (const mode of ['keyword', 'pattern', 'semantic', 'hybrid']) {
          const answer = await at.search(mode, { query: 'walrus' });
          assert.equal(answer.index.state, 'degraded', mode);
          assert.match(answer.warnings.join(), /doctor --repair/u);
        }
        await at.ingest({ 'c.ts': 'export const narwhal = 1;\n' });
        await delay(700);
        const status = (await at.host.use('projects_index_status', {
          project_id: at.projectId,
        })) as unknown as {
          state: string;
          pending: number;
        };
        assert.deepEqual([status.state, status.pending], ['degraded', 1]);

        assert.match(JSON.stringify(await at.host.health()), /degraded.*files of the index are missing/u);
        const lines: string[] = [];
        await at.host.repair((line) => lines.push(line), new AbortController().signal);
        assert.match(lines.join('\n'), /generation 2/u);
        await at.settled();
        assert.doesNotMatch(JSON.stringify(await at.host.health()), /degraded/u);
        const answer = await at.search('keyword', { query: 'walrus narwhal' });
        assert.equal(answer.total, 3);
        assert.deepEqual([answer.index.state, answer.index.generation], ['ready', 2]);
      } finally {
        await at.stop();
      }
    });

    it('a repair that was stopped leaves documents that doctor tells of', async () => {
      const database = await fresh();
      const first = await site({ database });
      await first.ingest({ 'a.md': 'The walrus sleeps.\n' });
      await first.settled();
      await first.stop();
      await rm(join(database.dataDir, 'lancedb'), { recursive: true, force: true });
      const { host } = await site({ database, workers: false });
      try {
        await assert.rejects(host.repair(() => undefined, AbortSignal.abort()));
        const state = (await host.health()).find(({ name }) => name === 'search index');
        assert.equal(state?.status, 'ok');
        assert.match(state.message, /sound; documents of 1 workspace wait for the service/);
      } finally {
        await host.stop();
      }
    });

    it('chunks of before the last write read as degraded, and are rebuilt from SQL', async () => {
      const database = await fresh();
      const first = await site({ database, config: { training: false } });
      await first.ingest({ 'a.md': 'The walrus sleeps.\n' });
      await first.settled();
      const chunks = join(database.dataDir, 'lancedb', 'w', first.workspaceId, 'g1', 'chunks.lance');
      await cp(chunks, `${chunks}.copy`, { recursive: true });
      await first.ingest({ 'b.md': 'The narwhal dives.\n' });
      await first.settled();
      await first.stop();
      await rm(chunks, { recursive: true });
      await rename(`${chunks}.copy`, chunks);

      const { host } = await site({ database });
      try {
        const at = attach(host, first.workspaceId, first.projectId);
        const answer = await at.search('keyword', { query: 'narwhal' });
        assert.deepEqual([answer.total, answer.index.state], [0, 'degraded']);
        await host.repair(() => undefined, new AbortController().signal);
        await at.settled();
        assert.equal((await at.search('keyword', { query: 'narwhal' })).total, 1);
      } finally {
        await host.stop();
      }
    });

    if (engine === 'sqlite')
      it('an index that is ahead of an older copy of the database loses what that does not know, by itself', async () => {
        const database = await fresh();
        const first = await site({ database });
        await first.ingest({ 'a.md': 'The walrus sleeps.\n', 'b.md': 'The seal swims.\n' });
        await first.settled();
        const { sql } = first.host.database;
        const copy = join(database.dataDir, 'copy.db');
        await sql.raw('VACUUM INTO ?', [copy]);
        await first.ingest({ 'b.md': 'The gull flies.\n', 'c.md': 'The narwhal dives.\n' });
        await first.settled();
        await first.stop();
        const file = join(database.dataDir, 'service.db');
        for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true });
        await rename(copy, file);

        const { host } = await site({ database });
        const remove = Reflect.get(IndexTables.prototype, 'remove');
        const removed: number[] = [];
        IndexTables.prototype.remove = function (ids) {
          removed.push(ids.length);
          return remove.call(this, ids);
        };
        try {
          const at = attach(host, first.workspaceId, first.projectId);
          await at.search('keyword', { query: 'walrus' });
          const { marker } = (await host.database
            .sql('search_indexes')
            .where({ workspace_id: at.workspaceId })
            .first('marker')) as { marker: string };
          const folder = join(database.dataDir, 'lancedb', 'w', at.workspaceId, 'g1');
          const held = async () => {
            const tables = await IndexTables.open(folder, marker);
            const { documents } = await tables.counts();
            await tables.close();
            return documents;
          };
          const found = async (query: string) => (await at.search('keyword', { query })).total;
          while ((await held()) !== 2 || (await found('seal')) !== 1) await delay(50);
          assert.deepEqual([await found('walrus'), await found('narwhal'), await found('gull')], [1, 0, 0]);
          assert.equal(Math.max(...removed), 2, 'in one write');
        } finally {
          IndexTables.prototype.remove = remove;
          await host.stop();
        }
      });

    it('a restart finds the same index; the same content again changes nothing', async () => {
      const database = await fresh();
      const first = await site({ database });
      await first.ingest({ 'a.ts': 'export const walrus = 1;\n' });
      await first.settled();
      const before = await first.search('hybrid', { query: 'walrus' });
      await first.stop();
      const second = await site({ database });
      const again = attach(second.host, first.workspaceId, first.projectId);
      try {
        await again.ingest({ 'a.ts': 'export const walrus = 1;\n' });
        const after = await again.search('hybrid', { query: 'walrus' });
        assert.deepEqual(
          after.results.map(({ id, score }) => [id, score]),
          before.results.map(({ id, score }) => [id, score]),
        );
      } finally {
        await second.stop();
      }
    });

    it('a repair that loses its lease ends, and says so', async () => {
      const database = await fresh();
      const first = await site({ database });
      await first.ingest({ 'a.ts': 'export const walrus = 1;\n' });
      await first.settled();
      await first.stop();
      await rm(join(database.dataDir, 'lancedb', 'w', first.workspaceId), { recursive: true });
      const { plugin, services } = probe({ leases: Leases });
      const tool = await site({ database, workers: false, plugins: [plugin] });
      try {
        const { leases } = services();
        const take = leases.take.bind(leases);
        leases.take = async (name) => {
          const lease = await take(name);
          if (lease) lease.holds = () => Promise.resolve(false);
          return lease;
        };
        const repair = tool.host.repair(() => undefined, AbortSignal.timeout(5000));
        await assert.rejects(repair, /another process indexes the workspace now/u);
      } finally {
        await tool.stop();
      }
    });
  });
}
