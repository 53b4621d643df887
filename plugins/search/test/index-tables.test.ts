import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IndexTables, type DocumentRows } from '@service-mcp/plugin-search/internals';
import { temporaryFolder } from './harness.js';

const shared = {
  project_id: 'p',
  kind: 'code',
  path: 'a.ts',
  lang: 'typescript',
  tags: '',
  updated_at: '2026-01-01T00:00:00.000Z',
};

function rows(document: string, texts: readonly string[]): DocumentRows {
  const place = { start: 0, end: 1, start_line: 1, end_line: 1, start_column: 1, symbol: '', title: '' };
  return {
    document: { id: document, ...shared, title: '', sha256: 's', text: texts.join('') },
    chunks: texts.map((text) => ({
      id: `${document}-${text}`,
      doc_id: document,
      ...shared,
      ...place,
      sha256: 's',
      text,
      terms: text,
      stops: '',
    })),
    vectors: texts.map((text) => ({
      id: `space:${document}-${text}`,
      chunk_id: `${document}-${text}`,
      doc_id: document,
      ...shared,
      space_id: 'space',
      vector: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
    })),
  };
}

async function held(tables: IndexTables): Promise<{ documents: number; chunks: string[]; vectors: number }> {
  const found: { id: string }[] = await tables.chunks.query().select(['id']).toArray();
  return {
    documents: await tables.documents.countRows(),
    chunks: found.map(({ id }) => id).sort(),
    vectors: (await (await tables.vectors(8))?.countRows()) ?? 0,
  };
}

describe('the tables of a generation', function () {
  this.timeout(30_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let tables: IndexTables;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await IndexTables.create(folder.path, 'marker');
    tables = await IndexTables.open(folder.path, 'marker');
  });
  afterEach(async () => {
    await tables.close();
    await folder.remove();
  });

  it('hold exactly the rows of the last write, however often it is done', async () => {
    await tables.replace([rows('d1', ['a', 'b', 'c']), rows('d2', ['x'])]);
    await tables.replace([rows('d1', ['b', 'e']), rows('d1', ['b', 'd'])]);
    await tables.replace([rows('d1', ['b', 'd'])]);
    assert.deepEqual(await held(tables), { documents: 2, chunks: ['d1-b', 'd1-d', 'd2-x'], vectors: 3 });
    await tables.replace([rows('d1', [])]);
    assert.deepEqual(await held(tables), { documents: 2, chunks: ['d2-x'], vectors: 1 });
    await tables.remove(['d2', 'unknown']);
    await tables.remove(['d2']);
    assert.deepEqual(await held(tables), { documents: 1, chunks: [], vectors: 0 });
  });

  it('are complete after a crash while creating a table of vectors, and incomplete without the default one', async () => {
    await tables.close();
    await mkdir(join(folder.path, 'vectors_8.lance'));
    tables = await IndexTables.open(folder.path, 'marker');
    assert.equal(await tables.vectors(8), undefined);
    await tables.replace([rows('d1', ['a'])]);
    assert.deepEqual(await held(tables), { documents: 1, chunks: ['d1-a'], vectors: 1 });
    await rm(join(folder.path, 'vectors_160.lance'), { recursive: true });
    await assert.rejects(IndexTables.open(folder.path, 'marker'));
  });

  it('recover from a write that ended after any of its steps', async () => {
    const whole = rows('d1', ['a', 'b']);
    await tables.replace([{ ...whole, chunks: [], vectors: [] }]);
    await tables.replace([{ ...whole, vectors: [] }]);
    await tables.replace([whole]);
    assert.deepEqual(await held(tables), { documents: 1, chunks: ['d1-a', 'd1-b'], vectors: 2 });
  });

  it('allow two writers on one folder', async () => {
    const other = await IndexTables.open(folder.path, 'marker');
    await tables.replace([rows('same', ['seed'])]);
    await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        await (i % 2 ? tables : other).replace([rows(`d${i}`, ['a', 'b'])]);
        await (i % 2 ? tables : other).replace([rows('same', ['a', 'b'])]);
      }),
    );
    const { documents, chunks } = await held(tables);
    assert.equal(documents, 7);
    assert.equal(new Set(chunks).size, chunks.length);
    assert.deepEqual(
      chunks.filter((id) => id.startsWith('same')),
      ['same-a', 'same-b'],
    );
    await other.close();
  });

  it('open only with the right marker', async () => {
    await assert.rejects(IndexTables.open(folder.path, 'another'), /marker/u);
  });

  it('weigh a frequent term of rows outside the text index by the engine as it is documented here', async () => {
    // LanceDB 0.31.0 loses such rows; the indexer keeps rows inside. Fails once the engine is fixed.
    await tables.replace([rows('d1', ['zebra zebra zebra zebra']), rows('d2', ['other'])]);
    const { MatchQuery } = await import('@lancedb/lancedb');
    const look = () =>
      tables.chunks
        .query()
        .fullTextSearch(new MatchQuery('zebra', 'terms'))
        .select(['id', '_score'])
        .toArray();
    assert.equal((await look()).length, 0);
    await tables.chunks.optimize();
    assert.equal((await look()).length, 1);
  });
});
