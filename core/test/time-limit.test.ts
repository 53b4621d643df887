import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from '@service-mcp/core';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The name of the reason, once it aborts. */
function reasonOf(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve((signal.reason as Error).name));
  });
}

describe('a time limit', () => {
  it('aborts what nobody else refers to, whatever garbage is collected meanwhile', async () => {
    const caller = new AbortController();
    const waiting = Array.from({ length: 20 }, () => reasonOf(timeLimit(150, caller.signal)));
    for (let turn = 0; turn < 5; turn += 1) {
      await delay(10);
      collectGarbage();
    }
    const ended = await Promise.race([Promise.all(waiting), delay(5_000, 'no limit')]);
    assert.deepEqual(
      ended,
      Array.from({ length: 20 }, () => 'TimeoutError'),
    );
  });

  it('ends with the caller, and may have passed', async () => {
    const caller = new AbortController();
    const reason = reasonOf(timeLimit(60_000, caller.signal));
    caller.abort(new RangeError('enough'));
    assert.equal(await reason, 'RangeError');
    assert.equal(timeLimit(60_000, caller.signal).aborted, true);
  });
});
