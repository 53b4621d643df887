import assert from 'node:assert/strict';
import type { IndexDocument } from '@service-mcp/plugin-search/contract';
import { GatheredWrites, writeBatch, type Prepared } from '@service-mcp/plugin-search/internals';

type PreparedBatch = Prepared['batches'][number];

/** A document of about so many bytes. */
function document(id: string, bytes = 10): IndexDocument {
  return { id, text: 'x'.repeat(bytes) } as IndexDocument;
}

function prepared(...ids: readonly string[]): Prepared {
  const outcomes = ids.map((id) => ({ id, revision: 1, status: 'indexed', chunks: 1 }) as const);
  return { batches: [], removed: [], outcomes };
}

/** Writes that end when the test says so, and what each was given. */
function writer() {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const state = { mayWrite: true };
  const gathered = new GatheredWrites(
    ({ outcomes }, documents) => {
      assert.deepEqual(
        outcomes.map(({ id }) => id),
        documents.map(({ id }) => id),
      );
      begun.push(outcomes.map(({ id }) => id));
      return new Promise((resolve) => ends.push(() => resolve({ outcomes, rows: outcomes.length })));
    },
    async () => state.mayWrite,
  );
  return {
    begun,
    ends,
    state,
    gathered,
    add: (...ids: string[]) =>
      gathered.add(
        prepared(...ids),
        ids.map((id) => document(id)),
      ),
  };
}

describe('writes that are gathered', () => {
  const MEBIBYTE = 1024 * 1024;

  it('begin when there is much, and have all batches in their order', async () => {
    const { begun, gathered, add } = writer();
    assert.equal(await add('a', 'b'), true);
    assert.deepEqual(begun, []);
    assert.equal(await gathered.add(prepared('large'), [document('large', 2 * MEBIBYTE)]), true);
    assert.deepEqual(begun, [['a', 'b', 'large']]);
  });

  it('run one at a time', async () => {
    const { begun, ends, gathered, add } = writer();
    await gathered.add(prepared('large'), [document('large', 2 * MEBIBYTE)]);
    await add('a');
    const second = gathered.written();
    await new Promise(setImmediate);
    assert.deepEqual(begun, [['large']]);
    ends[0]?.();
    await new Promise(setImmediate);
    assert.deepEqual(begun, [['large'], ['a']]);
    ends[1]?.();
    await second;
    const rows = (await Promise.all(gathered.writes)).map((one) => one.rows);
    assert.deepEqual(rows, [1, 1]);
  });

  it('have a document once, the earlier text in an earlier write', async () => {
    const { begun, ends, gathered, add } = writer();
    await add('a', 'b');
    await add('b', 'c');
    assert.deepEqual(begun, [['a', 'b']]);
    ends[0]?.();
    const rest = gathered.written();
    await new Promise(setImmediate);
    assert.deepEqual(begun, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
    ends[1]?.();
    await rest;
  });

  it('are left out when nothing may be written any more', async () => {
    const { begun, state, gathered, add } = writer();
    await add('a');
    state.mayWrite = false;
    await gathered.written();
    assert.equal(await gathered.add(prepared('large'), [document('large', 2 * MEBIBYTE)]), false);
    state.mayWrite = true;
    await gathered.written();
    assert.deepEqual(begun, []);
    assert.equal(gathered.writes.length, 0);
  });

  it('look for the vectors of a batch by its own documents alone', async () => {
    const none = new Uint8Array();
    const batches = ['a', 'b'].map((id): PreparedBatch => ({
      documentIds: [id],
      documents: none,
      chunks: none,
      vectors: [],
      passages: [],
    }));
    const asked: Array<readonly string[]> = [];
    const reuse = async (_tables: unknown, batch: PreparedBatch, documents: readonly IndexDocument[]) => {
      asked.push(documents.map(({ id }) => id));
      return batch;
    };
    const tables = { replace: async () => undefined, remove: async () => undefined };
    await writeBatch(
      { ...prepared('a', 'b'), batches },
      { tables } as never,
      [document('a'), document('b')],
      { check: {} as never, provided: { reuse } },
    );
    assert.deepEqual(asked, [['a'], ['b']]);
  });
});
