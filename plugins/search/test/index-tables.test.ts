import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '@service-mcp/core/host';
import {
  caches,
  IndexTables,
  indexVectors,
  maintain,
  retrieveByMeaning,
  rowsById,
  type ChunkRow,
} from '@service-mcp/plugin-search/internals';
import { batch, held, indexOfEach, rows, type DocumentRows } from './index-rows.js';

/** https://gist.github.com/tommyettinger/46a874533244883189143505d203312c: a seeded generator of numbers from 0 to 1. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Vectors of one document of a space of that name, and random numbers to make others. */
function randomVectors() {
  const random = mulberry(7);
  const vectorOf = () => Float32Array.from({ length: 160 }, () => random() - 0.5);
  const many = (space: string, count: number) =>
    rows(
      `${space}-document`,
      Array.from({ length: count }, (_, i) => String(i)),
    ).vectors.map((row, i) => ({
      ...row,
      id: `${space}:${i}`,
      chunk_id: `${space}-${i}`,
      space_id: space,
      vector: vectorOf(),
    }));
  return { vectorOf, many };
}

const silent = createLog('silent');

describe('the tables of a generation', () => {
  const index = indexOfEach();

  it('hold exactly the rows of the last write, however often it is done', async () => {
    await index.tables.replace(batch(rows('d1', ['a', 'b', 'c']), rows('d2', ['x'])));
    await index.tables.replace(batch(rows('d1', ['b', 'e'])));
    await index.tables.replace(batch(rows('d1', ['b', 'd'])));
    assert.deepEqual(await held(index.tables), {
      documents: 2,
      chunks: ['d1-b', 'd1-d', 'd2-x'],
      vectors: 3,
    });
    await index.tables.replace(batch(rows('d1', [])));
    assert.deepEqual(await held(index.tables), { documents: 2, chunks: ['d2-x'], vectors: 1 });
    await index.tables.remove(['d2', 'unknown']);
    await index.tables.remove(['d2']);
    assert.deepEqual(await held(index.tables), { documents: 1, chunks: [], vectors: 0 });
  });

  it('keep what they read in the bounded caches that all indexes share', async () => {
    await index.tables.replace(batch(rows('d1', ['a', 'b'])));
    const before = caches().sizeBytes(); // exact, where approxNumItems() counts later
    assert.deepEqual((await held(index.tables)).chunks, ['d1-a', 'd1-b']);
    await maintain(index.tables, { log: silent, keepVersionsMs: 1000 });
    await index.tables.chunks.query().where("id = 'd1-a'").toArray();
    assert.notEqual(caches().sizeBytes(), before); // full caches may shrink
  });

  it('leave no empty folders of former indexes', async () => {
    const folders = async () => (await readdir(join(index.path, 'chunks.lance', '_indices'))).length;
    for (let i = 0; i < 6; i++) {
      await index.tables.replace(batch(rows(`d${i}`, ['a', 'b'])));
      await maintain(index.tables, { log: silent, keepVersionsMs: 60_000 });
    }
    const before = await folders();
    await delay(20);
    for (let i = 0; i < 2; i++) {
      await maintain(index.tables, { log: silent, keepVersionsMs: 10 }); // removes the files, then their folders
      await delay(20);
    }
    const indexes = await index.tables.chunks.listIndices();
    assert.ok(before > 3 * indexes.length, `${before} folders of ${indexes.length} indexes`);
    assert.ok((await folders()) <= 2 * indexes.length);
    assert.deepEqual((await held(index.tables)).chunks.length, 12);
  });

  it('give rows by id, inside their index and outside it', async () => {
    const wanted = { table: index.tables.chunks, columns: ['id', 'text'] as const, timeoutMs: 10_000 };
    const read = async (...ids: string[]) => {
      const found = await rowsById<Pick<ChunkRow, 'id' | 'text'>>(ids, wanted);
      return [...found.values()].map(({ id, text }) => `${id} ${text}`).sort();
    };
    const unindexed = async () => (await index.tables.chunks.indexStats('id_idx'))?.numUnindexedRows;
    await index.tables.replace(batch(rows('d1', ['a', 'b']), rows('d2', ['x'])));
    await maintain(index.tables, { log: silent, keepVersionsMs: 1000 });
    assert.equal(await unindexed(), 0);
    assert.deepEqual(await read('d1-b', 'd2-x', 'none'), ['d1-b b', 'd2-x x']);
    await index.tables.replace(batch(rows('d1', ['b', 'c']), rows('d3', ['y'])));
    assert.notEqual(await unindexed(), 0);
    assert.deepEqual(await read('d1-a', 'd1-b', 'd1-c', 'd2-x', 'd3-y'), [
      'd1-b b',
      'd1-c c',
      'd2-x x',
      'd3-y y',
    ]);
    assert.deepEqual(await read('none'), []);
    // Compactions between the two reads move the rows.
    const reading = new AbortController();
    const moving = (async () => {
      for (let i = 0; !reading.signal.aborted; i++) {
        await index.tables.replace(batch(rows(`m${i % 5}`, [`${i}`])));
        if (i % 3 === 0) await maintain(index.tables, { log: silent, keepVersionsMs: 1000 });
      }
    })();
    try {
      for (let i = 0; i < 40; i++) assert.deepEqual(await read('d1-c', 'd2-x'), ['d1-c c', 'd2-x x']);
    } finally {
      reading.abort();
      await moving;
    }
  });

  it('are complete after a crash while creating a table of vectors, and incomplete without the default one', async () => {
    await index.tables.close();
    await mkdir(join(index.path, 'vectors_8.lance'));
    index.tables = await IndexTables.open(index.path, 'marker');
    assert.equal(await index.tables.vectors(8), undefined);
    await index.tables.replace(batch(rows('d1', ['a'])));
    assert.deepEqual(await held(index.tables), { documents: 1, chunks: ['d1-a'], vectors: 1 });
    await rm(join(index.path, 'vectors_160.lance'), { recursive: true });
    await assert.rejects(IndexTables.open(index.path, 'marker'));
  });

  it('recover from a write that ended after any of its steps', async () => {
    const whole = rows('d1', ['a', 'b']);
    await index.tables.replace(batch({ ...whole, chunks: [], vectors: [] }));
    await index.tables.replace(batch({ ...whole, vectors: [] }));
    await index.tables.replace(batch(whole));
    assert.deepEqual(await held(index.tables), { documents: 1, chunks: ['d1-a', 'd1-b'], vectors: 2 });
  });

  it('allow two writers on one folder', async () => {
    const other = await IndexTables.open(index.path, 'marker');
    await index.tables.replace(batch(rows('same', ['seed'])));
    await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        await (i % 2 ? index.tables : other).replace(batch(rows(`d${i}`, ['a', 'b'])));
        await (i % 2 ? index.tables : other).replace(batch(rows('same', ['a', 'b'])));
      }),
    );
    const { documents, chunks } = await held(index.tables);
    assert.equal(documents, 7);
    assert.equal(new Set(chunks).size, chunks.length);
    assert.deepEqual(
      chunks.filter((id) => id.startsWith('same')),
      ['same-a', 'same-b'],
    );
    await other.close();
  });

  for (const [how, remove] of [
    ['a removal', (tables: IndexTables) => tables.remove(['d1'])],
    ['a new version', (tables: IndexTables) => tables.replace(batch(rows('d1', ['b'])))],
    ['the loss of a space', (tables: IndexTables) => tables.dropSpace('space')],
    ['the loss of a workspace', (tables: IndexTables) => tables.dropWhere("project_id = 'p'")],
  ] as const)
    it(`lose the vectors that another process has in a table of its own by ${how}`, async () => {
      const other = await IndexTables.open(index.path, 'marker');
      const wide = rows('d1', ['a']);
      const vectors = wide.vectors.map((row) => ({ ...row, vector: new Float32Array(16).fill(1) }));
      await other.replace(batch({ ...wide, vectors }));
      await remove(index.tables);
      assert.equal(await (await other.vectors(16))?.countRows(), 0);
      await other.close();
    });

  it('open only with the right marker', async () => {
    await assert.rejects(IndexTables.open(index.path, 'another'), /marker/u);
  });

  it('find the nearest of many vectors by an index, the new ones and those of another space too', async () => {
    const { vectorOf, many } = randomVectors();
    const write = (space: string, vectors: DocumentRows['vectors']) =>
      index.tables.putVectors(space, [`${space}-document`], vectors);
    const first = many('a', 1200);
    await write('a', first);
    assert.equal(await maintain(index.tables, { log: silent, keepVersionsMs: 60_000 }), true);
    const table = (await index.tables.vectors(160))!;
    const kind = async () => (await table.indexStats('vector_idx'))?.indexType;
    assert.equal(await kind(), 'IVF_FLAT');

    const second = many('b', 900);
    await write('b', second);
    const findsNearest = async (): Promise<void> => {
      for (const [space, vectors] of [
        ['a', first],
        ['b', second],
      ] as const) {
        const wanted = vectorOf();
        const exact = vectors
          .map((row) => [row.chunk_id, cosine(row.vector, wanted)] as const)
          .sort((x, y) => y[1] - x[1]);
        const options = { where: "kind = 'code'", limit: 50, timeoutMs: 5000 };
        const found = await retrieveByMeaning(index.tables, wanted, space, options);
        for (const [at, [id, score]] of exact.slice(0, 10).entries()) {
          assert.equal(found[at]?.id, id);
          assert.ok(Math.abs(found[at].score - score) < 0.002, `${found[at].score} is not ${score}`);
        }
      }
    };
    await findsNearest();
    // The bound between the kinds of index, as for many more vectors.
    for (const [exactRows, becomes] of [
      [1500, 'IVF_FLAT'],
      [1000, 'IVF_RQ'],
      [3000, 'IVF_RQ'],
      [50_000, 'IVF_FLAT'],
    ] as const) {
      await indexVectors(table, exactRows);
      assert.equal(await kind(), becomes, `with a bound of ${exactRows}`);
      await findsNearest();
    }
  });

  it('keep the vectors of a dropped space in no index', async () => {
    const { many } = randomVectors();
    const write = (space: string) => index.tables.putVectors(space, [`${space}-document`], many(space, 1200));
    await write('a');
    await maintain(index.tables, { log: silent, keepVersionsMs: 60_000 });
    await write('b');
    const table = (await index.tables.vectors(160))!;
    const indexed = async () => {
      const stats = await table.indexStats('vector_idx');
      return stats && [stats.numIndexedRows, stats.numUnindexedRows];
    };
    assert.deepEqual(await indexed(), [1200, 1200]);
    await index.tables.dropSpace('unknown');
    assert.deepEqual(await indexed(), [1200, 1200]);
    await index.tables.dropSpace('a'); // the index is of the others alone, which were outside it
    assert.deepEqual(await indexed(), [1200, 0]);
    await write('a');
    await maintain(index.tables, { log: silent, keepVersionsMs: 60_000 });
    await index.tables.dropSpace('b');
    assert.deepEqual(await indexed(), [1200, 0]);
    await index.tables.putVectors('c', ['c-document'], many('c', 10));
    await maintain(index.tables, { log: silent, keepVersionsMs: 60_000 });
    await index.tables.dropSpace('a');
    assert.equal(await indexed(), undefined);
  });

  it('weigh a frequent term of rows outside the text index by the engine as it is documented here', async () => {
    // LanceDB 0.31.0 loses such rows; the indexer keeps rows inside. Fails once the engine is fixed.
    await index.tables.replace(batch(rows('d1', ['zebra zebra zebra zebra']), rows('d2', ['other'])));
    const { MatchQuery } = await import('@lancedb/lancedb');
    const look = () =>
      index.tables.chunks
        .query()
        .fullTextSearch(new MatchQuery('zebra', 'terms'))
        .select(['id', '_score'])
        .toArray();
    assert.equal((await look()).length, 0);
    await index.tables.chunks.optimize();
    assert.equal((await look()).length, 1);
  });
});
