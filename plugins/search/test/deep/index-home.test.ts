import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { eachDatabase } from '@service-mcp/core/testing';
import { attach, site, temporaryFolder } from '../harness.js';

eachDatabase((fresh) => {
  it('a process with another address of the index neither writes, repairs nor switches it', async () => {
    const database = await fresh();
    const elsewhere = await temporaryFolder();
    const first = await site({ database });
    const wrong = await site({ database, uri: elsewhere.path, workers: false });
    const { workspaceId, projectId } = first;
    try {
      await first.ingest({ 'a.ts': 'export const walrus = 1;\n' });
      await first.settled();
      const check = (await wrong.host.health()).find(({ name }) => name === 'search index');
      assert.equal(check?.status, 'failed');
      assert.match(check.remedy ?? '', /LANCEDB_URI/u);

      const lines: string[] = [];
      await wrong.host.repair((line) => lines.push(line), new AbortController().signal);
      assert.match(lines.join('\n'), /nothing was repaired.*LANCEDB_URI/u);
      const there = attach(wrong.host, workspaceId, projectId);
      const told = await there.search('keyword', { query: 'walrus' });
      assert.equal(told.index.state, 'degraded');
      assert.match(told.warnings.join('\n'), /LANCEDB_URI/u);

      const answer = await first.search('keyword', { query: 'walrus' });
      assert.deepEqual([answer.total, answer.index.state, answer.index.generation], [1, 'ready', 1]);
    } finally {
      await wrong.stop();
      await first.stop();
    }

    const moved = join(elsewhere.path, 'moved');
    await rename(join(database.dataDir, 'lancedb'), moved);
    const after = await site({ database, uri: moved });
    try {
      const there = attach(after.host, workspaceId, projectId);
      const answer = await there.search('keyword', { query: 'walrus' });
      assert.deepEqual([answer.total, answer.index.state], [1, 'ready']);
    } finally {
      await after.stop();
    }

    const lost = await site({ database, uri: elsewhere.path, config: { moved: true } });
    try {
      await lost.host.repair(() => undefined, new AbortController().signal);
      const there = attach(lost.host, workspaceId, projectId);
      await there.settled();
      const answer = await there.search('keyword', { query: 'walrus' });
      assert.deepEqual([answer.total, answer.index.state], [1, 'ready']);
    } finally {
      await lost.stop();
      await elsewhere.remove();
    }
  });

  it('a place in which no index can be made is told, before and while files wait for it', async () => {
    const first = await site({ database: await fresh(), uri: 'nothing://knows-this' });
    try {
      const state = async () => (await first.host.health()).find(({ name }) => name === 'search index');
      assert.equal((await state())?.status, 'degraded');
      await first.ingest({ 'a.ts': 'export const walrus = 1;\n' });
      assert.match((await state())?.message ?? '', /no index can be made/u);
      assert.match((await state())?.remedy ?? '', /LANCEDB_URI/u);
    } finally {
      await first.stop();
    }
  });
});
