import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '@service-mcp/core';
import { onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { connect } from '@service-mcp/plugin-search/internals';
import { attach, site, type Site } from './harness.js';

/** Another workspace of the same service, with a project. */
async function neighbour(at: Site): Promise<Site> {
  const { id: workspaceId } = await at.host.use<{ id: string }>('workspaces_create', { name: 'other' });
  const { id: projectId } = await at.host.use<{ id: string }>('projects_create', {
    workspace_id: workspaceId,
    name: 'p',
  });
  return attach(at.host, workspaceId, projectId);
}

const folderOf = (database: TestDatabase, { workspaceId }: Site) =>
  join(database.dataDir, 'lancedb', 'w', workspaceId);

/** LanceDB over the index of a site: methods of its tables and connections that fail for the table of this name. */
async function breakLance(uri: string, on: 'connection' | 'table', method: string, name: string) {
  const connection = await connect(uri);
  const table = await connection.openTable('documents');
  const prototype = Object.getPrototypeOf(on === 'table' ? table : connection) as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  const whole = prototype[method];
  assert.ok(whole);
  const broken = { failures: 0, restore: () => void (prototype[method] = whole) };
  prototype[method] = function fail(this: { name?: string }, ...args) {
    if ((this.name ?? args[0]) !== name) return whole.apply(this, args);
    broken.failures++;
    return Promise.reject(new Error('the disk is tired'));
  };
  table.close();
  connection.close();
  return broken;
}

/** Indexes of workspaces, on one engine; PostgreSQL runs with the long tests. */
export function workspaceIndexSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('the index of a workspace', () => {
      let database: TestDatabase;
      let at: Site;
      beforeEach(async () => {
        database = await fresh();
        at = await site({ database });
      });
      afterEach(() => at.stop());

      const scores = async (of: Site) =>
        (await of.search('keyword', { query: 'walrus sleeps' })).results.map(({ path, score }) => [
          path,
          score,
        ]);

      it('weighs words by the documents of its workspace alone', async () => {
        const files = {
          'a.md': 'The walrus sleeps.\n',
          'b.md': 'A seal sleeps.\n',
          'c.md': 'Nothing here.\n',
        };
        await at.ingest(files);
        await at.settled();
        const before = await scores(at);
        const other = await neighbour(at);
        await other.ingest(
          Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, `walrus number ${i}\n`])),
        );
        await other.settled();
        assert.deepEqual(await scores(at), before);
        assert.equal((await other.search('keyword', { query: 'sleeps' })).total, 0);
      });

      it('that cannot be made stops its own workspace alone, and leaves nothing behind', async () => {
        const other = await neighbour(at);
        await other.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await other.settled();
        const uri = join(folderOf(database, other), 'g1');
        const broken = await breakLance(uri, 'connection', 'createEmptyTable', 'chunks');
        try {
          await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
          while (broken.failures === 0) await delay(20);
          const folder = Array.from({ length: 20 }, (_, n) => [`${n}.md`, `Seal ${n}.\n`]); // not a small change
          await other.ingest(Object.fromEntries(folder) as Record<string, string>);
          await other.settled();
          const written = () => at.host.database.sql('search_indexes').where('writes', '>', 0);
          while ((await written()).length > 0) await delay(20); // maintained too
        } finally {
          broken.restore();
        }
        await at.settled();
        assert.deepEqual(await readdir(folderOf(database, at)), ['g1']);
      });

      it('whose text index cannot be updated counts nothing as indexed, and is not compacted in each round', async () => {
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await at.settled();
        const uri = join(folderOf(database, at), 'g1');
        const work = () => at.host.database.sql('file_work').where({ consumer: 'search' });
        const words = await breakLance(uri, 'table', 'optimize', 'chunks');
        try {
          await at.ingest({ 'b.md': 'A badger.\n' });
          while ((await work().whereNotNull('indexing_error')).length === 0) {
            assert.equal((await work().where({ indexing_status: 'pending' })).length, 1);
            await delay(20);
          }
        } finally {
          words.restore();
        }
        await at.settled();
        assert.equal((await at.search('keyword', { query: 'badger' })).total, 1);
        await at.host.database.sql('search_indexes').update({ writes: 1000 });
        const compaction = await breakLance(uri, 'table', 'optimize', 'documents');
        try {
          while (compaction.failures === 0) await delay(20);
          for (const n of [1, 2, 3]) {
            await at.ingest({ 'b.md': `Badger ${n}.\n` });
            await at.settled();
          }
        } finally {
          compaction.restore();
        }
        assert.ok(compaction.failures < 4, `${compaction.failures} failures in four rounds`);
      });

      it('is not made by a search, and is removed with its workspace', async () => {
        const empty = await at.search('hybrid', { query: 'walrus' });
        assert.deepEqual([empty.total, empty.index.state, empty.index.generation], [0, 'not_indexed', 0]);
        assert.equal(existsSync(folderOf(database, at)), false);
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await at.settled();
        assert.equal((await at.search('keyword', { query: 'walrus' })).index.generation, 1);
        assert.equal(existsSync(folderOf(database, at)), true);
        await at.host.use('workspaces_delete', { workspace_id: at.workspaceId });
        while (existsSync(folderOf(database, at))) await delay(20);
        assert.deepEqual(await at.host.database.sql('search_indexes'), []);
      });

      it('that is damaged stops its own workspace alone', async () => {
        const other = await neighbour(at);
        for (const each of [at, other]) {
          await each.ingest({ 'a.md': 'The walrus sleeps.\n' });
          await each.settled();
        }
        await rm(folderOf(database, at), { recursive: true, maxRetries: 5 }); // it may be written to meanwhile
        await delay(1100); // the time that a check is cached
        assert.equal((await at.search('keyword', { query: 'walrus' })).index.state, 'degraded');
        await at.ingest({ 'b.md': 'Another walrus.\n' });
        await other.ingest({ 'b.md': 'Another walrus.\n' });
        await other.settled();
        const answer = await other.search('keyword', { query: 'walrus' });
        assert.deepEqual([answer.total, answer.index.state, answer.index.generation], [2, 'ready', 1]);

        // Also where more are damaged than a round tries.
        const crowd = await Promise.all(Array.from({ length: 40 }, () => neighbour(at)));
        const [last] = crowd.splice(-1);
        assert.ok(last);
        const indexes = () => at.host.database.sql('search_indexes');
        const marked = await indexes().where({ workspace_id: at.workspaceId }).first<object>();
        await indexes().insert(crowd.map((each) => ({ ...marked, workspace_id: each.workspaceId })));
        for (const each of crowd) await each.ingest({ 'a.md': 'The walrus sleeps.\n' });
        // In this order, all of them are between the one that was served last and the one that waits.
        for (const [turn, each] of [last, other, last].entries()) {
          const folder = Array.from({ length: 20 }, (_, n) => [`${turn}/${n}.md`, `Seal ${n}.\n`]); // not a small change
          await each.ingest(Object.fromEntries(folder) as Record<string, string>);
          await each.settled();
        }
        for (const each of crowd) await at.host.use('workspaces_delete', { workspace_id: each.workspaceId });

        const lines: string[] = [];
        await at.host.repair((line) => lines.push(line), new AbortController().signal);
        assert.match(
          lines.join('\n'),
          new RegExp(`generation 2 of the index of workspace ${at.workspaceId}`),
        );
        await at.settled();
        const repaired = await at.search('keyword', { query: 'walrus' });
        assert.deepEqual([repaired.total, repaired.index.generation], [2, 2]);
        assert.equal((await other.search('keyword', { query: 'walrus' })).index.generation, 1);
      });

      it('that nobody uses is watched by its marker, and read by doctor', async () => {
        const other = await neighbour(at);
        for (const each of [at, other]) {
          await each.ingest({ 'a.md': 'The walrus sleeps.\n' });
          await each.settled();
        }
        await at.stop();
        await rm(folderOf(database, at), { recursive: true, maxRetries: 5 }); // it may be written to meanwhile
        const texts = join(folderOf(database, other), 'g1', 'chunks.lance', 'data');
        for (const file of await readdir(texts)) await truncate(join(texts, file), 10);

        const restarted = await site({ database, workers: false, listen: true });
        try {
          const ready = await (await fetch(`${restarted.host.url}/ready`)).text();
          assert.match(ready, new RegExp(`workspace ${at.workspaceId}: files of the index are missing`, 'u'));
          assert.doesNotMatch(ready, /more are damaged/u);
          const whole = (await restarted.host.health()).find(({ name }) => name === 'search index');
          assert.match(whole?.message ?? '', /; 1 more are damaged/u);
        } finally {
          await restarted.stop();
        }
      });

      it('is filled from SQL while the index that all workspaces shared still answers', async () => {
        const other = await neighbour(at);
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await other.ingest({ 'b.md': 'The walrus swims.\n' });
        for (const each of [at, other]) await each.settled();
        await at.stop();

        const resting = await site({ database, workers: false });
        await share(resting.host.database.sql, database, [at, other]);
        const before = await attach(resting.host, at.workspaceId, at.projectId).search('hybrid', {
          query: 'walrus',
        });
        assert.deepEqual([before.results.map(({ path }) => path), before.index.generation], [['a.md'], 7]);
        await resting.stop();

        at = await site({ database });
        const shared = join(database.dataDir, 'lancedb', 'g7');
        while (existsSync(shared)) await delay(20);
        const moved = await attach(at.host, other.workspaceId, other.projectId).search('keyword', {
          query: 'walrus',
        });
        assert.deepEqual([moved.results.map(({ path }) => path), moved.index.generation], [['b.md'], 8]);
      });
    });
  });
}

/** Puts the rows of the workspaces into one folder and makes SQL as it was when they shared it. */
async function share(sql: Sql, database: TestDatabase, sites: readonly Site[]): Promise<void> {
  const lancedb = await import('@lancedb/lancedb'); // after the plugin, which sets how much it logs
  const shared = await lancedb.connect(join(database.dataDir, 'lancedb', 'g7'));
  for (const name of ['documents', 'chunks', 'vectors_160']) {
    const rows: Record<string, unknown>[] = [];
    for (const each of sites) {
      const own = await lancedb.connect(join(folderOf(database, each), 'g1'));
      const found = (await (await own.openTable(name)).query().toArray()) as Record<string, unknown>[];
      rows.push(
        ...found.map((row) => ({
          ...row,
          ...(name === 'vectors_160' && { vector: Array.from(row['vector'] as Iterable<number>) }),
          workspace_id: each.workspaceId,
        })),
      );
    }
    const table = await shared.createTable(name, rows);
    if (name !== 'chunks') continue;
    const whole = { baseTokenizer: 'whitespace', stem: false, removeStopWords: false } as const;
    for (const column of ['terms', 'stops'])
      await table.createIndex(column, { config: lancedb.Index.fts(whole) });
  }
  await shared.createTable('marker', [{ id: 'shared', built: true }]);
  await rm(join(database.dataDir, 'lancedb', 'w'), { recursive: true });
  await sql('search_indexes').delete();
  await sql('search_index').update({ generation: 7, marker: 'shared', chunker_version: '' });
}
