import assert from 'node:assert/strict';
import { GraphThread } from '@service-mcp/plugin-graph/internals';

const WORKER = new URL('./support/numbered-thread.js', import.meta.url);
const signal = new AbortController().signal;
const nothing = { texts: [], limits: { timeLimitMs: 2000, maxBytes: 1024, parseCode: true } };

describe('the graph thread of a service that stops', () => {
  const open: GraphThread[] = [];
  const start = (heapMiB = 256): GraphThread => {
    const thread = new GraphThread(WORKER, { heapMiB, idleMs: 10_000 });
    open.push(thread);
    return thread;
  };
  after(() => Promise.all(open.map((thread) => thread.close())));

  it('serves the next service with the same limits, one at a time', async () => {
    const [first, second] = [start(), start()];
    const { parsed } = await first.parse(nothing, signal);
    assert.notEqual((await second.parse(nothing, signal)).parsed, parsed, 'the first service has it');
    await first.close();
    assert.notEqual((await start(128).parse(nothing, signal)).parsed, parsed);
    assert.equal((await start().parse(nothing, signal)).parsed, parsed);
    await assert.rejects(first.parse(nothing, signal), { code: 'UNAVAILABLE' });
  });
});
