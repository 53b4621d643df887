import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, indexStats, KnownRows, packPlace, RowCache } from '@service-mcp/plugin-search/internals';
import { AT_REST, site } from './harness.js';

type Parts = ConstructorParameters<typeof KnownRows>[0];

describe('the rows of chunks that searches showed', () => {
  const place = (sha256: string) =>
    packPlace({
      start: 0,
      end: 3,
      start_line: 1,
      end_line: 1,
      start_column: 1,
      sha256,
      symbol: '',
      parts: [],
    });
  const row = { id: 'c', doc_id: 'd', title: '', text: 'one', lang: '', place: place('first') };
  const candidate = { id: 'c', doc_id: 'd', kind: 'doc', score: 1, scores: {} };

  it('are kept as long as their document has that text and language', () => {
    const cache = new RowCache();
    cache.keep(row);
    const state = (sha256: string, language: string | null = null) => ({ sha256, language });
    assert.equal(cache.read('c', state('first')), row);
    assert.equal(cache.read('c', state('second')), undefined);
    assert.equal(cache.read('c', state('first', 'python')), undefined, 'its chunks have other names');
    assert.equal(cache.read('c', undefined), undefined);
    assert.equal(cache.read('another', state('first')), undefined);
  });

  it('are not read from the index again', async () => {
    const cache = new RowCache();
    cache.keep(row);
    const knownAt = (sha256: string) => {
      const parts: Pick<Parts, 'cache' | 'timeoutMs'> & { readonly states: Pick<Parts['states'], 'of'> } = {
        cache,
        timeoutMs: 1000,
        states: { of: () => Promise.resolve(new Map([['d', { sha256 }]]) as never) },
      };
      return new KnownRows(parts as Parts).of([candidate]); // without tables to read from
    };
    assert.deepEqual(await knownAt('first'), [{ ...candidate, row }]);
    await assert.rejects(knownAt('second'), TypeError);
  });

  it('move with the lines of their file, there and back', async () => {
    const at = await site({ config: AT_REST });
    try {
      const section = (title: string, lines: number, line: string) =>
        `# ${title}\n\n${`${line}\n`.repeat(lines)}\n`;
      const textOf = (lines: number) =>
        section('Seals', lines, 'The seal barks at the boats in the harbour.') +
        section('Otters', 40, 'The otter sleeps on its back in the kelp.');
      const lineOf = async (mode: 'hybrid' | 'semantic') => {
        const { results } = await at.search(mode, { query: 'the otter sleeps' });
        const found = results.find(({ content }) => content.includes('otter sleeps'));
        const own = found?.content.split('\n').findIndex((line) => line.includes('otter sleeps')) ?? NaN;
        return { line: (found?.start_line ?? NaN) + own, stale: found?.stale };
      };
      for (const lines of [40, 41, 40]) {
        const line = lines + 6; // of the same chunk, which has the same number
        await at.ingest({ 'sea.md': textOf(lines) });
        await at.settled();
        for (let turn = 0; turn < 2; turn++)
          for (const mode of ['hybrid', 'semantic'] as const)
            assert.deepEqual(await lineOf(mode), { line, stale: false }, `${mode}, turn ${turn}`);
      }
    } finally {
      await at.stop();
    }
  });

  it('are found by what is known of their index in the version of their table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-mcp-test-'));
    try {
      const [reading, writing] = [await connect(folder), await connect(folder)];
      const written = await writing.createTable('rows', [{ id: 'a' }]);
      const read = await reading.openTable('rows');
      assert.equal(await indexStats(read, 'id_idx'), undefined);
      await written.createIndex('id');
      assert.equal((await indexStats(read, 'id_idx'))?.numUnindexedRows, 0);
      await written.add([{ id: 'b' }]);
      assert.equal((await indexStats(read, 'id_idx'))?.numUnindexedRows, 1);
      assert.equal((await indexStats(read, 'id_idx'))?.numUnindexedRows, 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
