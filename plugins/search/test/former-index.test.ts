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
import { temporaryFolder } from './harness.js';
import { batch, held, PLACE, rows } from './index-rows.js';

const silent = createLog('silent');

describe('an index that an earlier version made', function () {
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

  it('has its places packed', async () => {
    await tables.replace(batch(rows('d1', ['a', 'b'])));
    await tables.close();
    const { connect } = await import('@lancedb/lancedb');
    const connection = await connect(folder.path);
    const chunks = await connection.openTable('chunks');
    const { sha256, symbol, ...numbers } = PLACE;
    await chunks.addColumns([
      ...Object.entries(numbers).map(([name, value]) => ({ name, valueSql: `cast(${value} as int)` })),
      ...Object.entries({ sha256, symbol }).map(([name, value]) => ({ name, valueSql: `'${value}'` })),
    ]);
    await chunks.dropColumns(['place']);
    connection.close();
    tables = await IndexTables.open(folder.path, 'marker');
    const found: { place: string }[] = await tables.chunks.query().select(['place']).toArray();
    assert.deepEqual(
      found.map(({ place }) => unpackPlace(place)),
      [PLACE, PLACE],
    );
    await tables.replace(batch(rows('d1', ['c']), rows('d2', ['x'])));
    assert.deepEqual(await held(tables), { documents: 2, chunks: ['d1-c', 'd2-x'], vectors: 2 });
    assert.deepEqual(new Set((await tables.chunks.schema()).names), new Set(chunksSchema.names));
  });

  it('has its vectors halved', async () => {
    await tables.replace(batch(rows('d1', ['a', 'b'])));
    await tables.close();
    const { connect, Index } = await import('@lancedb/lancedb');
    const connection = await connect(folder.path);
    const vectors = await connection.openTable('vectors_8');
    const singles = new FixedSizeList(8, new Field('item', new Float32(), true));
    await vectors.alterColumns([{ path: 'vector', dataType: singles }]);
    await vectors.createIndex('vector', { config: Index.ivfFlat({ numPartitions: 1 }) });
    connection.close();
    tables = await IndexTables.open(folder.path, 'marker');
    await tables.replace(batch(rows('d1', ['c']), rows('d2', ['x'])));
    assert.deepEqual(await held(tables), { documents: 2, chunks: ['d1-c', 'd2-x'], vectors: 2 });
    const table = await tables.vectors(8);
    assert.match(String((await table?.schema())?.fields.at(-1)?.type), /Float16/u);
    const found = await retrieveByMeaning(tables, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), 'space', {
      where: 'true',
      limit: 5,
      timeoutMs: 5000,
    });
    assert.deepEqual(found.map(({ id }) => id).sort(), ['d1-c', 'd2-x']);
  });

  it('loses the whole texts that it holds', async () => {
    await tables.replace(batch(rows('d1', ['a'])));
    await tables.documents.addColumns([{ name: 'text', valueSql: "'whole'" }]);
    await tables.close();
    tables = await IndexTables.open(folder.path, 'marker');
    await tables.replace(batch(rows('d2', ['b'])));
    assert.deepEqual(
      (await tables.documents.schema()).fields.filter(({ name }) => name === 'text'),
      [],
    );
    assert.deepEqual(await held(tables), { documents: 2, chunks: ['d1-a', 'd2-b'], vectors: 2 });
  });

  it('takes rows beside those that it compressed by zstd', async () => {
    await tables.close();
    const { connect } = await import('@lancedb/lancedb');
    const connection = await connect(folder.path);
    const zstd = (key: string, value: string) => (key === 'lance-encoding:compression' ? 'zstd' : value);
    const fields = chunksSchema.fields.map(({ name, type, nullable, metadata }) => {
      const former = [...metadata].map(([key, value]) => [key, zstd(key, value)] as const);
      return new Field(name, type, nullable, new Map(former));
    });
    await connection.createEmptyTable('chunks', new Schema(fields), { mode: 'overwrite' });
    connection.close();
    tables = await IndexTables.open(folder.path, 'marker');
    const long = (word: string) => `${word} `.repeat(2000);
    await tables.replace(batch(rows('d1', [long('before')])));
    await maintain(tables, { log: silent, keepVersionsMs: 1000 });
    await tables.replace(batch(rows('d2', [long('beside')]), rows('d3', [long('beside')])));
    await tables.replace(batch(rows('d3', [long('after')])));
    await maintain(tables, { log: silent, keepVersionsMs: 1000 });
    const found: { text: string }[] = await tables.chunks.query().select(['text']).toArray();
    assert.deepEqual(found.map(({ text }) => text).sort(), ['after', 'before', 'beside'].map(long));
  });
});
