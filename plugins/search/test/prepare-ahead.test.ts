import assert from 'node:assert/strict';
import type { IndexDocument } from '@service-mcp/plugin-search/contract';
import { prepareAhead, type Prepared } from '@service-mcp/plugin-search/internals';

const NOTHING: Prepared = { batches: [], removed: [], outcomes: [] };

/** Batches of one document each, known by their ids. */
function batchesOf(ids: readonly string[]): () => readonly IndexDocument[] {
  const left = [...ids];
  return () => left.splice(0, 1).map((id) => ({ id }) as IndexDocument);
}

describe('batches that are prepared ahead', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];

  for (const atOnce of [1, 3]) {
    it(`come in their order, ${String(atOnce)} prepared at a time`, async () => {
      const open = new Map<string, () => void>();
      let most = 0;
      const prepare = ([document]: readonly IndexDocument[]): Promise<Prepared> =>
        new Promise((resolve) => {
          open.set(document?.id ?? '', () => resolve(NOTHING));
          most = Math.max(most, open.size);
          // The last that was begun ends first.
          setImmediate(() => {
            for (const end of [...open.values()].toReversed()) end();
            open.clear();
          });
        });
      const given: string[] = [];
      for await (const { batch } of prepareAhead(batchesOf(ids), prepare, atOnce))
        given.push(...batch.map(({ id }) => id));
      assert.deepEqual(given, ids);
      assert.equal(most, atOnce);
    });
  }

  it('end with the first that fails, after those before it', async () => {
    const prepare = async ([document]: readonly IndexDocument[]): Promise<Prepared> => {
      if (document?.id === 'a') return NOTHING;
      throw new Error(`no ${document?.id ?? ''}`);
    };
    const given: string[] = [];
    await assert.rejects(async () => {
      for await (const { batch } of prepareAhead(batchesOf(ids), prepare, 3))
        given.push(...batch.map(({ id }) => id));
    }, /no b/u);
    assert.deepEqual(given, ['a']);
  });

  it('are begun no more where the caller ends, and fail nothing then', async () => {
    let begun = 0;
    const prepare = async ([document]: readonly IndexDocument[]): Promise<Prepared> => {
      begun += 1;
      if (document?.id === 'a') return NOTHING;
      throw new Error('nobody waits for this');
    };
    for await (const { batch } of prepareAhead(batchesOf(ids), prepare, 3)) {
      assert.equal(batch[0]?.id, 'a');
      break;
    }
    await new Promise(setImmediate); // an unhandled rejection would end the test
    assert.equal(begun, 3);
  });
});
