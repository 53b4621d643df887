import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { defineWorker } from '@service-mcp/core';
import { assemble, start } from '@service-mcp/core/host';
import { freshDatabase } from '@service-mcp/core/testing';
import { demo, until } from './fixtures.js';

/** A process that crashes as soon as it starts. */
function crashing(onCrash: () => void): ChildProcess {
  const child = Object.assign(new EventEmitter(), { connected: false, kill: () => true });
  setImmediate(() => {
    child.emit('exit', null, 'SIGKILL');
    onCrash();
  });
  return child as unknown as ChildProcess;
}

describe('a child process that crashes', () => {
  it('is started again ever later, and soon after the first crash in a long time', async () => {
    const made = await freshDatabase('sqlite');
    const plugin = demo([], {
      workers: [
        defineWorker({
          id: 'demo.worker',
          uses: {},
          everyMs: 20,
          wakeOn: [],
          apart: { hasWork: () => Promise.resolve(true) },
          run: () => assert.fail('it runs here'),
        }),
      ],
    });
    const now = performance.now.bind(performance);
    let passedMs = 0;
    performance.now = () => now() + passedMs;
    let starts = 0;
    let crashes = 0;
    const config = { log: { level: 'silent' } };
    const loaded = assemble(config, [plugin], [], {}, { dataDir: made.dataDir, port: 0 });
    const host = await start(loaded, {
      spawnWorker: () => {
        starts += 1;
        return crashing(() => (crashes += 1));
      },
    });
    const startsAfter = async (ms: number) => {
      await until(() => crashes === starts); // its time is that of the last crash
      const before = starts;
      passedMs += ms;
      await until(() => starts > before);
    };
    try {
      await until(() => starts === 1);
      for (let crash = 1; crash < 8; crash += 1) await startsAfter(30_000); // the longest back-off
      await startsAfter(10 * 60_000);
      await startsAfter(500);
      const work = (await host.health()).find(({ name }) => name === 'background work');
      assert.match(work?.message ?? '', /ended by itself \d+ times, last: exit SIGKILL/);
    } finally {
      performance.now = now;
      await host.stop();
      await made.drop();
    }
  });
});
