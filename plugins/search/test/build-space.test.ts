import assert from 'node:assert/strict';
import { createLog } from '@service-mcp/core/host';
import { modelFaults, ModelServer } from '@service-mcp/core/testing';
import {
  buildBatch,
  embedderOf,
  findVectors,
  openAiProvider,
  type BuildParts,
} from '@service-mcp/plugin-search/internals';
import { batch, held, indexOfEach, rows } from './index-rows.js';

const signal = new AbortController().signal;

describe('the vectors of another space', () => {
  const index = indexOfEach();

  it('are not written once the lease on the index is lost', async () => {
    await index.tables.replace(batch(rows('d1', ['a', 'b'])));
    const before = await held(index.tables);
    let isHeld = true;
    const parts = (): BuildParts => ({
      tables: index.tables,
      embedder: {
        spaceId: 'new',
        dimensions: 8,
        model: 'test',
        embedPassages(passages) {
          isHeld = false; // a machine that sleeps while it waits for the provider
          return Promise.resolve(passages.map(() => Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0)));
        },
        embed: () => Promise.reject(new Error('not asked')),
        embedQuery: () => Promise.reject(new Error('not asked')),
      },
      lease: { holds: () => Promise.resolve(isHeld) } as BuildParts['lease'], // nothing else of it is used
      log: createLog('silent'),
    });
    await assert.rejects(buildBatch(parts(), '', signal), /lease on an index was lost/u);
    assert.deepEqual(await held(index.tables), before);
  });

  it('are kept where the provider fails before it has made all', async () => {
    const texts = Array.from({ length: 100 }, (_, n) => `text${n}`);
    await index.tables.replace({ ...batch(rows('d1', texts)), vectors: [] });
    const server = new ModelServer();
    const settings = { key: undefined, dimensions: 8, queryPrefix: '', passagePrefix: '', batch: 32 };
    const url = await server.start();
    const provider = openAiProvider({ ...settings, url, model: 'm8', timeoutMs: 2000, retryMs: 0 });
    const parts: BuildParts = {
      tables: index.tables,
      embedder: embedderOf(provider, await provider.describe()),
      lease: { holds: () => Promise.resolve(true) } as BuildParts['lease'], // nothing else of it is used
      log: createLog('silent'),
    };
    const answered: string[] = [];
    server.refuses = ({ body: { input = [] } }) => {
      answered.push(...input);
      if (answered.length === 64) server.broken = modelFaults.status(401);
      return false;
    };
    try {
      await assert.rejects(buildBatch(parts, '', signal), /check the key/u);
      assert.equal((await held(index.tables)).vectors, 64);
      server.broken = undefined;
      await buildBatch(parts, '', signal);
    } finally {
      await server.stop();
    }
    assert.deepEqual([answered.length, new Set(answered).size], [100, 100], 'each is sent once');
    assert.equal((await held(index.tables)).vectors, 100);
  });

  it('are found in one of the documents with the same text', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `d${n}`);
    await index.tables.replace(batch(...names.map((name) => rows(name, ['a']))));
    const read: string[] = [];
    const { chunks } = index.tables;
    const query = chunks.query.bind(chunks);
    chunks.query = () => {
      const made = query();
      const where = made.where.bind(made);
      made.where = (condition) => {
        read.push(condition);
        return where(condition);
      };
      return made;
    };
    const space = { spaceId: 'space', dimensions: 8 } as BuildParts['embedder']; // nothing else of it is used
    const passages = rows('new', ['a']).chunks;
    assert.equal((await findVectors(index.tables, [space], passages, ['s'])).length, 1);
    assert.deepEqual(
      read.map((condition) => condition.split(', ').length),
      [2],
      'the document itself and another',
    );
  });
});
