import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CallUsage, type UsageRow } from '@service-mcp/core';
import {
  eachDatabase,
  fail,
  onDatabase,
  probe,
  testHost,
  type TestDatabase,
} from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const HOUR_MS = 3_600_000;
const failing = { ...fail, name: 'demo_fail' };

async function startHost(database: TestDatabase) {
  const { plugin, services } = probe({ usage: CallUsage });
  const host = await testHost({ plugins: [demo([echo(), failing]), plugin], database });
  const read = (granularity: 'hour' | 'day' = 'hour', until = new Date()) =>
    services().usage.read({ since: new Date(Date.now() - 2 * HOUR_MS), until, granularity });
  return { ...host, read };
}

/** Calls by tool and outcome, whatever hour and duration they have. */
function counts(rows: readonly UsageRow[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { tool, outcome, calls } of rows) {
    const key = `${tool} ${outcome}`;
    sums[key] = (sums[key] ?? 0) + calls;
  }
  return sums;
}

describe('usage of calls', () => {
  eachDatabase((fresh) => {
    it('is counted by tool and outcome, without a write for each call', async () => {
      const host = await startHost(await fresh());
      try {
        await Promise.all(Array.from({ length: 50 }, () => host.use('demo_echo')));
        for (const code of ['CONFLICT', 'foreign']) await assert.rejects(host.use('demo_fail', { code }));
        await assert.rejects(host.use('demo_echo', { text: 1 }));
        await assert.rejects(host.use(`demo_${'x'.repeat(500)}`));
        assert.deepEqual(await host.database.sql('call_usage'), [], 'buffered');
        const rows = await host.read();
        assert.deepEqual(counts(rows), {
          'demo_echo OK': 50,
          'demo_echo INVALID_ARGUMENT': 1,
          'demo_fail CONFLICT': 1,
          'demo_fail INTERNAL': 1,
          'unknown UNKNOWN_TOOL': 1,
        });
        for (const { start, upperMs } of rows) {
          assert.match(start, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
          assert.ok(Number.isInteger(Math.log2(upperMs)) && upperMs >= 1, String(upperMs));
        }
        for (const { start } of await host.read('day')) assert.match(start, /T00:00:00\.000Z$/);
        assert.deepEqual(await host.read('hour', new Date(Date.now() - HOUR_MS)), [], 'until is the end');
      } finally {
        await host.stop();
      }
    });

    it('is added up over processes, and kept when one ends', async () => {
      const database = await fresh();
      const hosts = await Promise.all([startHost(database), startHost(database), startHost(database)]);
      const [first, second, third] = hosts;
      assert.ok(first && second && third);
      try {
        for (let round = 1; round <= 3; round += 1) {
          await Promise.all(hosts.flatMap((host) => Array.from({ length: 10 }, () => host.use('demo_echo'))));
          await Promise.all(hosts.map((host) => host.read()));
          assert.deepEqual(counts(await first.read()), { 'demo_echo OK': 30 * round });
        }
        await third.use('demo_echo');
        await third.stop();
        assert.deepEqual(counts(await second.read()), { 'demo_echo OK': 91 });
      } finally {
        await Promise.all(hosts.map((host) => host.stop()));
      }
    });

    it('is dropped after 90 days', async () => {
      const database = await fresh();
      const before = await startHost(database);
      const ago = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 13);
      const row = { workspace_id: '', tool: 'demo_echo', outcome: 'OK', bucket: 0, calls: 1 };
      await before.database.sql('call_usage').insert([91, 89].map((days) => ({ ...row, hour: ago(days) })));
      await before.stop();
      const host = await startHost(database);
      try {
        const hours = async () =>
          (await host.database.sql<{ hour: string }>('call_usage').select('hour')).map(({ hour }) => hour);
        while ((await hours()).length > 1) await delay(20);
        assert.deepEqual(await hours(), [ago(89)]);
      } finally {
        await host.stop();
      }
    });
  });

  onDatabase('sqlite', (fresh) => {
    it('is read while the database takes no writes, and what waited is added later', async () => {
      const host = await startHost(await fresh());
      try {
        await host.use('demo_echo');
        await host.read();
        await host.use('demo_echo');
        await host.database.sql.raw('PRAGMA query_only = 1');
        assert.deepEqual(counts(await host.read()), { 'demo_echo OK': 1 });
        await host.database.sql.raw('PRAGMA query_only = 0');
        assert.deepEqual(counts(await host.read()), { 'demo_echo OK': 2 });
      } finally {
        await host.stop();
      }
    });
  });
});
