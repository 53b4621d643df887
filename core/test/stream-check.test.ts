import assert from 'node:assert/strict';
import { ServiceError, type ErrorCode } from '@service-mcp/core';
import { streamCheck } from '@service-mcp/core/wire';

const RETRY_MS = 1;

/** A check that fails with each of these codes in turn, and then no more. */
function failing(...codes: ErrorCode[]) {
  let [end, pass] = [() => {}, () => {}];
  const ended = new Promise<void>((resolve) => (end = resolve));
  const passed = new Promise<void>((resolve) => (pass = resolve));
  const check = async () => {
    const code = codes.shift();
    if (code !== undefined) throw new ServiceError(code, code);
    pass();
  };
  return { run: streamCheck(check, end, RETRY_MS), ended, passed, codes };
}

describe('the check of an open stream', () => {
  it('ends it at a revoked credential', async () => {
    const { run, ended } = failing('UNAUTHENTICATED');
    await run();
    await ended;
  });

  it('is repeated soon after an outage, not at the next interval: events are sent meanwhile', async () => {
    const { run, ended } = failing('UNAVAILABLE', 'UNAVAILABLE', 'UNAUTHENTICATED');
    await run();
    await ended;
  });

  it('goes on after an outage', async () => {
    const { run, passed } = failing('UNAVAILABLE', 'UNAVAILABLE');
    await run();
    await passed;
  });

  it('ends it at the fourth interval of an outage, however often it is repeated in between', async () => {
    const { run, ended, codes } = failing(...Array<ErrorCode>(100).fill('UNAVAILABLE'));
    let isOver = false;
    void ended.then(() => (isOver = true));
    await run();
    while (codes.length > 96) await new Promise(setImmediate);
    assert.ok(!isOver);
    for (let n = 0; n < 3; n += 1) await run();
    await ended;
  });
});
