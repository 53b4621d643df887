import assert from 'node:assert/strict';
import { tableFromIPC } from 'apache-arrow';
import { createLog } from '@service-mcp/core/host';
import type { Embedder, IndexDocument } from '@service-mcp/plugin-search/contract';
import {
  PreparationThreads,
  prepare,
  unpackPlace,
  type PrepareParts,
} from '@service-mcp/plugin-search/internals';

const silent = createLog('silent');
const limits = { timeLimitMs: 2000, maxBytes: 1024 * 1024, parseCode: true };

const about = { workspaceId: 'w', projectId: 'p', kind: 'code', language: 'typescript', title: '', tags: [] };
const rest = { updatedAt: '2026-01-01T00:00:00.000Z', sha256: 's', revision: 1, removed: false, attempts: 1 };

function document(id: string, text: string): IndexDocument {
  return { id, path: `${id}.ts`, text, ...about, ...rest };
}

function embedder(spaceId: string, more: Partial<Embedder>): Embedder {
  const dimensions = 160;
  return {
    spaceId,
    dimensions,
    model: 'm',
    embed: async () => ({ vectors: [], tokens: 0 }),
    embedPassages: async () => [],
    embedQuery: async () => null,
    ...more,
  };
}

const hashed = embedder('hashed', { packedModel: () => Promise.resolve(undefined) });

const hangingThread = new URL('../hanging-thread.js', import.meta.url);
const hanging = document('hanging', 'const a = 1;');
/** A text that takes hundreds of MiB of heap. */
const large = document('large', 'aZ1b_Y2 '.repeat(2_000_000));

describe('the preparation of documents in their thread', () => {
  let threads: PreparationThreads;
  afterEach(() => threads.close());

  const run = (
    documents: readonly IndexDocument[],
    provided: readonly Embedder[] = [],
    signal = new AbortController().signal,
  ) => {
    const spaces = { writing: () => Promise.resolve({ embedded: [hashed], provided }) };
    const parts: PrepareParts = { syntax: { limits }, spaces, threads, log: silent };
    return prepare(documents, parts, signal);
  };

  it('gives one table of each kind, vectors of embedders in the thread, and passages for those elsewhere', async () => {
    threads = new PreparationThreads(1);
    const source = 'export function findStore(name: string) {\n  return stores.get(name);\n}\n';
    const gone = { ...document('gone', ''), removed: true };
    const made = await run([document('a', source), document('empty', ''), gone], [embedder('elsewhere', {})]);
    assert.deepEqual(
      made.outcomes.map(({ id, status }) => [id, status, 'x']),
      [
        ['gone', 'indexed', 'x'],
        ['a', 'indexed', 'x'],
        ['empty', 'indexed', 'x'],
      ],
    );
    const [batch] = made.batches;
    assert.ok(batch && made.batches.length === 1);
    assert.deepEqual(batch.documentIds, ['a', 'empty']);
    const [chunk] = tableFromIPC(batch.chunks).toArray() as { place: string; text: string; terms: string }[];
    assert.equal(unpackPlace(chunk?.place ?? '').symbol, 'findStore');
    assert.equal(chunk?.text, source);
    assert.ok(chunk?.terms.split(' ').includes('findstore'));
    const spaces = batch.vectors.flatMap(
      ({ rows }) => tableFromIPC(rows).toArray() as { space_id: string }[],
    );
    assert.deepEqual(
      spaces.map(({ space_id }) => space_id),
      ['hashed'],
    );
    assert.deepEqual(
      batch.passages.map(({ doc_id, text }) => [doc_id, text]),
      [['a', source]],
    );
  });

  for (const [fault, bad, started] of [
    ['hangs', hanging, () => new PreparationThreads(1, { batchMs: 1000, documentMs: 1000 }, hangingThread)],
    ['exhausts its memory', large, () => new PreparationThreads(1, { heapMiB: 48 })],
  ] as const) {
    it(`fails a document on which the thread ${fault} alone`, async () => {
      threads = started();
      const made = await run([document('a', 'const a = 1;'), bad, document('b', 'const b = 1;')]);
      assert.deepEqual(
        new Map(made.outcomes.map(({ id, status }) => [id, status])),
        new Map([
          ['a', 'indexed'],
          [bad.id, 'failed'],
          ['b', 'indexed'],
        ]),
      );
      assert.deepEqual(made.batches.flatMap(({ documentIds }) => documentIds).sort(), ['a', 'b']);
    });
  }

  it('ends at an abort and at a stop', async () => {
    threads = new PreparationThreads(1, {}, hangingThread);
    const control = new AbortController();
    const running = run([hanging], [], control.signal);
    control.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/u);
    assert.equal((await run([document('a', 'const a = 1;')])).outcomes[0]?.status, 'indexed');
    await threads.close();
    await assert.rejects(run([document('a', 'const a = 1;')]), /stopping/u);
  });
});
