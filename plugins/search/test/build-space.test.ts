import assert from 'node:assert/strict';
import { createLog } from '@service-mcp/core/host';
import { buildBatch, type BuildParts } from '@service-mcp/plugin-search/internals';
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
});
