import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { mock } from 'node:test';
import { Database, defineWorker, provide, token, type Worker } from '@service-mcp/core';
import { testHost } from '@service-mcp/core/testing';
import { demo, untyped, until } from './fixtures.js';

describe('a worker whose rounds fail', () => {
  /** How long it waits after each failure: the first six waits, which pass a hundred times faster. */
  async function waitsAfter(fail: (database: Database) => Promise<unknown>): Promise<readonly number[]> {
    const Handle = token<Database>('demo.Handle');
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    let failed = false;
    const plugin = demo([], {
      services: [provide(Handle, { uses: { database: Database }, create: ({ database }) => database })],
      workers: [
        defineWorker({
          id: 'demo.worker',
          uses: { database: Handle },
          everyMs: 20,
          wakeOn: [],
          run: async ({ database }) => {
            await fail(database).finally(() => (failed = true));
            return { more: false };
          },
        }),
      ],
    });
    const timers = mock.method(globalThis, 'setTimeout', ((run: () => void, ms = 0) => {
      const isOfWorker = failed && ms >= 500 && /boot.workers\.js/.test(new Error('where').stack ?? '');
      if (isOfWorker) waits.push(ms);
      failed &&= !isOfWorker;
      return real(run, isOfWorker ? ms / 100 : ms);
    }) as typeof globalThis.setTimeout);
    const host = await testHost({ plugins: [plugin], workers: true });
    try {
      await until(() => waits.length >= 6);
      return waits.slice(0, 6);
    } finally {
      timers.mock.restore();
      await host.stop();
    }
  }

  it('waits ever longer', async () => {
    const waits = await waitsAfter(() => Promise.reject(new Error('wrong')));
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000]);
  });

  it('waits five seconds at most for a database that is away, so that its queue goes on soon after', async () => {
    const waits = await waitsAfter((database) =>
      database.transaction(async (sql) => {
        await sql.raw('PRAGMA query_only = 1');
        await sql('deployment_values').delete();
      }),
    );
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 5000, 5000]);
  });

  it('sleeps as long as a timer can where it is to wait for longer', async () => {
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    const timers = mock.method(globalThis, 'setTimeout', ((run: () => void, ms = 0) => {
      const isOfWorker = ms > 3_600_000 && /boot.workers\.js/.test(new Error('where').stack ?? '');
      if (isOfWorker) waits.push(ms);
      return real(run, isOfWorker ? 2 ** 31 - 1 : ms);
    }) as typeof globalThis.setTimeout);
    const workers = [30 * 24 * 3_600_000, Infinity].map((everyMs, at) =>
      defineWorker({ id: `demo.slow${at}`, uses: {}, everyMs, run: () => Promise.resolve({ more: false }) }),
    );
    const host = await testHost({ plugins: [demo([], { workers })], workers: true });
    try {
      await until(() => waits.length >= workers.length);
      assert.deepEqual(waits, [2 ** 31 - 1, 2 ** 31 - 1]);
    } finally {
      timers.mock.restore();
      await host.stop();
    }
  });

  it('does not spin where a worker in JavaScript does not say when to go on', async () => {
    for (const init of [{ run: () => Promise.resolve() }, { everyMs: () => Number.NaN }]) {
      let rounds = 0;
      const run = () => {
        rounds++;
        return 'run' in init ? init.run() : Promise.resolve({ more: false });
      };
      const worker = untyped<Worker>({ id: 'demo.worker', uses: {}, everyMs: 1, wakeOn: [], ...init, run });
      const host = await testHost({ plugins: [demo([], { workers: [worker] })], workers: true });
      await new Promise((resolve) => setTimeout(resolve, 300));
      await host.stop();
      assert.equal(rounds, 1, 'the first round failed, and the next waits half a second');
    }
  });
});

describe('many workers', () => {
  it('wait beside each other without a warning of Node', async () => {
    const rounds: number[] = [];
    const workers = Array.from({ length: 20 }, (_, n) =>
      defineWorker({
        id: `demo.worker-${n}`,
        uses: {},
        everyMs: 1_000_000,
        wakeOn: [],
        run() {
          rounds.push(n);
          return Promise.resolve({ more: false });
        },
      }),
    );
    const warnings: string[] = [];
    const listen = ({ name }: Error) => void warnings.push(name);
    process.on('warning', listen);
    const host = await testHost({ plugins: [demo([], { workers })], workers: true });
    try {
      await until(() => rounds.length === workers.length);
      await delay(100); // they wait, and a warning would be there
    } finally {
      process.off('warning', listen);
      await host.stop();
    }
    assert.deepEqual(warnings, []);
  });
});
