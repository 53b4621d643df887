import assert from 'node:assert/strict';
import { LOCAL_OWNER, amendCall, anySignal, LazyAbort, lazyCall, type Log } from '@service-mcp/core';

const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };

function counting() {
  const abort = new LazyAbort();
  const made = { count: 0 };
  const facts = {
    caller: LOCAL_OWNER,
    surface: 'rest',
    requestId: 'r1',
    deadline: 1,
    selection: { toolsets: ['complete'], readOnly: false },
    log,
  } as const;
  const call = lazyCall(facts, () => {
    made.count++;
    return abort.signal;
  });
  return { abort, made, call };
}

describe('a call', () => {
  it('makes no signal before it is asked for one, however often it is amended', () => {
    const { call, made, abort } = counting();
    const amended = amendCall(amendCall(call, { session: 's' }), { requestId: 'r2' });
    assert.equal(made.count, 0);
    assert.deepEqual(
      [amended.session, amended.requestId, call.session, call.requestId],
      ['s', 'r2', undefined, 'r1'],
    );
    assert.equal(amended.signal.aborted, false);
    abort.abort('gone');
    assert.equal(amended.signal.reason, 'gone');
  });

  it('carries its signal through a spread', () => {
    const { call, abort } = counting();
    const { signal, requestId } = { ...call };
    assert.deepEqual([signal, requestId], [abort.signal, 'r1']);
  });
});

describe('a lazy abort', () => {
  it('keeps its first reason, whether the signal was asked for before or after', () => {
    const early = new LazyAbort();
    const { signal } = early;
    early.abort('first');
    early.abort('second');
    const late = new LazyAbort();
    late.abort('first');
    late.abort('second');
    assert.deepEqual([signal.reason, late.signal.reason], ['first', 'first']);
    assert.equal(late.signal, late.signal);
  });

  it('joins others into one signal', () => {
    const [a, b] = [new LazyAbort(), new LazyAbort()];
    const joined = anySignal(
      () => a.signal,
      () => b.signal,
    );
    assert.equal(joined(), joined());
    b.abort('b');
    assert.equal(joined().reason, 'b');
  });
});
