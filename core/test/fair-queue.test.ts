import { strict as assert } from 'node:assert';
import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue } from '@service-mcp/core';

/** A queue whose tasks end when they are told to, and the order in which they began. */
function queueOf(limits: { concurrency: number; share: number; waiting: number }) {
  const queue = new FairQueue(limits);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, workspaceId: string, userId?: string, signal?: AbortSignal) =>
    queue.run(
      { workspaceId, userId },
      () => {
        began.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  return { ask, end, began };
}

describe('a fair queue', () => {
  it('starts the task of a workspace that others do not fill at once', async () => {
    const { ask, end, began } = queueOf({ concurrency: 3, share: 2, waiting: 10 });
    const all = ['b1', 'b2', 'b3', 'b4'].map((name) => ask(name, 'bob'));
    await turn();
    assert.deepEqual(began, ['b1', 'b2']);
    all.push(ask('a1', 'alice'));
    await turn();
    assert.deepEqual(began, ['b1', 'b2', 'a1']);
    for (const name of ['b1', 'b2', 'a1', 'b3', 'b4']) await end(name);
    assert.deepEqual(await Promise.all(all), ['b1', 'b2', 'b3', 'b4', 'a1']);
  });

  it('takes turns between workspaces, and between the users of one', async () => {
    const { ask, end, began } = queueOf({ concurrency: 1, share: 1, waiting: 10 });
    const all = [
      ask('b1', 'big', 'bob'),
      ask('b2', 'big', 'bob'),
      ask('b3', 'big', 'bob'),
      ask('c1', 'big', 'carol'),
      ask('d1', 'small', 'dave'),
      ask('d2', 'small', 'dave'),
    ];
    const order: string[] = [];
    for (let at = 0; at < all.length; at++) {
      await turn();
      const name = began.at(-1) ?? '';
      order.push(name);
      await end(name);
    }
    await Promise.all(all);
    assert.deepEqual(order, ['b1', 'd1', 'c1', 'd2', 'b2', 'b3']);
  });

  it('counts a user over all of their workspaces', async () => {
    const { ask, end, began } = queueOf({ concurrency: 2, share: 1, waiting: 10 });
    const all = [ask('b1', 'one', 'bob'), ask('b2', 'two', 'bob'), ask('a1', 'three', 'alice')];
    await turn();
    assert.deepEqual(began, ['b1', 'a1']);
    for (const name of ['b1', 'a1', 'b2']) await end(name);
    await Promise.all(all);
  });

  it('refuses more waiting tasks of one user than the limit, not those of others', async () => {
    const { ask, end } = queueOf({ concurrency: 1, share: 1, waiting: 1 });
    const all = [ask('b1', 'bobs', 'bob'), ask('b2', 'bobs', 'bob')];
    await assert.rejects(ask('b3', 'bobs', 'bob'), {
      code: 'RATE_LIMITED',
      details: { limit: 1, retry_after: 1 },
    });
    all.push(ask('a1', 'bobs', 'alice'));
    for (const name of ['b1', 'a1', 'b2']) await end(name);
    await Promise.all(all);
  });

  it('leaves out a task whose caller is gone before its turn, and goes on after one that fails', async () => {
    const queue = new FairQueue({ concurrency: 1, share: 1, waiting: 10 });
    const share = { workspaceId: 'one' };
    const gone = new AbortController();
    let failNow = (): void => undefined;
    const failing = queue.run(
      share,
      () =>
        new Promise<never>((_resolve, reject) => {
          failNow = () => reject(new Error('broken'));
        }),
    );
    const aborted = queue.run(share, () => Promise.resolve('never'), gone.signal);
    const last = queue.run(share, () => Promise.resolve('last'));
    gone.abort(new Error('gone'));
    failNow();
    await assert.rejects(failing, /broken/);
    await assert.rejects(aborted, /gone/);
    assert.equal(await last, 'last');
  });
});
