import assert from 'node:assert/strict';
import { createLog } from '@service-mcp/core/host';
import { Field, FixedSizeList, Float32, Schema } from 'apache-arrow';
import {
  chunksSchema,
  IndexTables,
  maintain,
  retrieveByMeaning,
  unpackPlace,
} from '@service-mcp/plugin-search/internals';
import { batch, held, indexOfEach, PLACE, rows } from './index-rows.js';

const silent = createLog('silent');

describe('an index that an earlier version made', () => {
  const index = indexOfEach();

  it('has its places packed', async () => {
    await index.tables.replace(batch(rows('d1', ['a', 'b'])));
    await index.tables.close();
    const { connect } = await import('@lancedb/lancedb');
    const connection = await connect(index.path);
    const chunks = await connection.openTable('chunks');
    const { sha256, symbol, parts: _none, ...numbers } = PLACE;
    await chunks.addColumns([
      ...Object.entries(numbers).map(([name, value]) => ({ name, valueSql: `cast(${value} as int)` })),
      ...Object.entries({ sha256, symbol }).map(([name, value]) => ({ name, valueSql: `'${value}'` })),
    ]);
    await chunks.dropColumns(['place']);
    connection.close();
    index.tables = await IndexTables.open(index.path, 'marker');
    const found: { place: string }[] = await index.tables.chunks.query().select(['place']).toArray();
    assert.deepEqual(
      found.map(({ place }) => unpackPlace(place)),
      [PLACE, PLACE],
    );
    await index.tables.replace(batch(rows('d1', ['c']), rows('d2', ['x'])));
    assert.deepEqual(await held(index.tables), { documents: 2, chunks: ['d1-c', 'd2-x'], vectors: 2 });
    assert.deepEqual(new Set((await index.tables.chunks.schema()).names), new Set(chunksSchema().names));
  });

  it('has its vectors halved', async () => {
    await index.tables.replace(batch(rows('d1', ['a', 'b'])));
    await index.tables.close();
    const { connect, Index } = await import('@lancedb/lancedb');
    const connection = await connect(index.path);
    const vectors = await connection.openTable('vectors_8');
    const singles = new FixedSizeList(8, new Field('item', new Float32(), true));
    await vectors.alterColumns([{ path: 'vector', dataType: singles }]);
    await vectors.createIndex('vector', { config: Index.ivfFlat({ numPartitions: 1 }) });
    connection.close();
    index.tables = await IndexTables.open(index.path, 'marker');
    await index.tables.replace(batch(rows('d1', ['c']), rows('d2', ['x'])));
    assert.deepEqual(await held(index.tables), { documents: 2, chunks: ['d1-c', 'd2-x'], vectors: 2 });
    const table = await index.tables.vectors(8);
    assert.match(String((await table?.schema())?.fields.at(-1)?.type), /Float16/u);
    const found = await retrieveByMeaning(index.tables, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), 'space', {
      where: 'true',
      limit: 5,
      timeoutMs: 5000,
    });
    assert.deepEqual(found.map(({ id }) => id).sort(), ['d1-c', 'd2-x']);
  });

  it('loses the whole texts that it holds', async () => {
    await index.tables.replace(batch(rows('d1', ['a'])));
    await index.tables.documents.addColumns([{ name: 'text', valueSql: "'whole'" }]);
    await index.tables.close();
    index.tables = await IndexTables.open(index.path, 'marker');
    await index.tables.replace(batch(rows('d2', ['b'])));
    assert.deepEqual(
      (await index.tables.documents.schema()).fields.filter(({ name }) => name === 'text'),
      [],
    );
    assert.deepEqual(await held(index.tables), { documents: 2, chunks: ['d1-a', 'd2-b'], vectors: 2 });
  });

  it('takes rows beside those that it compressed by zstd', async () => {
    await index.tables.close();
    const { connect } = await import('@lancedb/lancedb');
    const connection = await connect(index.path);
    const zstd = (key: string, value: string) => (key === 'lance-encoding:compression' ? 'zstd' : value);
    const fields = chunksSchema().fields.map(({ name, type, nullable, metadata }) => {
      const former = [...metadata].map(([key, value]) => [key, zstd(key, value)] as const);
      return new Field(name, type, nullable, new Map(former));
    });
    await connection.createEmptyTable('chunks', new Schema(fields), { mode: 'overwrite' });
    connection.close();
    index.tables = await IndexTables.open(index.path, 'marker');
    const long = (word: string) => `${word} `.repeat(2000);
    await index.tables.replace(batch(rows('d1', [long('before')])));
    await maintain(index.tables, { log: silent, keepVersionsMs: 1000 });
    await index.tables.replace(batch(rows('d2', [long('beside')]), rows('d3', [long('beside')])));
    await index.tables.replace(batch(rows('d3', [long('after')])));
    await maintain(index.tables, { log: silent, keepVersionsMs: 1000 });
    const found: { text: string }[] = await index.tables.chunks.query().select(['text']).toArray();
    assert.deepEqual(found.map(({ text }) => text).sort(), ['after', 'before', 'beside'].map(long));
  });
});
