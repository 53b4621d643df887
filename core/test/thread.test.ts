import assert from 'node:assert/strict';
import { Thread, ThreadFailure, type ThreadOptions } from '@service-mcp/core';

const module = new URL('./numbered-thread.js', import.meta.url);
const LIMIT = { limitMs: 10_000 };

describe('a thread', () => {
  const open: Thread[] = [];
  const start = (options: Partial<ThreadOptions> = {}): Thread => {
    const thread = new Thread({ module, idleMs: 10_000, heapMiB: 64, ...options });
    open.push(thread);
    return thread;
  };
  const numberOf = (thread: Thread) => thread.run<number>('numberOfThread', undefined, LIMIT);
  after(() => Promise.all(open.map((thread) => thread.close())));

  it('runs one task after another', async () => {
    const thread = start();
    const [first, second] = await Promise.all([numberOf(thread), numberOf(thread)]);
    assert.equal(first, second);
  });

  for (const [title, outcome, run] of [
    ['throws', /a task that fails/, (thread: Thread) => thread.run('fail', undefined, LIMIT)],
    ['hangs', /no result after 50 ms/, (thread: Thread) => thread.run('hang', undefined, { limitMs: 50 })],
  ] as const) {
    it(`is replaced by another where a task ${title}`, async () => {
      const thread = start();
      const before = await numberOf(thread);
      await assert.rejects(run(thread), (error: unknown) => {
        assert.ok(error instanceof ThreadFailure && error.cause !== undefined);
        assert.match(error.message, outcome);
        return true;
      });
      assert.notEqual(await numberOf(thread), before);
    });
  }

  it('is replaced by another at an abort, with its reason', async () => {
    const thread = start();
    const before = await numberOf(thread);
    const control = new AbortController();
    const running = assert.rejects(
      thread.run('hang', undefined, { ...LIMIT, signal: control.signal }),
      /enough/,
    );
    control.abort(new Error('enough'));
    await running;
    assert.notEqual(await numberOf(thread), before);
  });

  it('of a service that stops serves the next one with the same limits, one at a time', async () => {
    const [first, second] = [start({ heapMiB: 65 }), start({ heapMiB: 65 })];
    const number = await numberOf(first);
    assert.notEqual(await numberOf(second), number, 'the first service has it');
    await first.close();
    assert.notEqual(await numberOf(start({ heapMiB: 66 })), number);
    assert.equal(await numberOf(start({ heapMiB: 65 })), number);
    await assert.rejects(numberOf(first), { code: 'UNAVAILABLE' });
  });

  it('ends with its service while it is busy', async () => {
    const thread = start({ heapMiB: 67 });
    const number = await numberOf(thread);
    const running = assert.rejects(thread.run('hang', undefined, LIMIT), { code: 'UNAVAILABLE' });
    await thread.close();
    await running;
    assert.notEqual(await numberOf(start({ heapMiB: 67 })), number);
  });
});
