import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { ANONYMOUS, RateLimits, closed, defineTool, type RateState, type Remark } from '@service-mcp/core';
import { callerWith, eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

/** Takes from a counter, so that the service is reached as a plugin reaches it. */
const take = defineTool({
  name: 'demo_take',
  title: 'Take',
  description: 'Takes one.',
  input: Type.Object(
    {
      key: Type.String({ description: 'Key' }),
      limit: Type.Integer({ description: 'Limit' }),
      seconds: Type.Integer({ description: 'Window', default: 3600 }),
    },
    closed,
  ),
  output: Type.Object(
    {
      allowed: Type.Boolean(),
      limit: Type.Integer(),
      remaining: Type.Integer(),
      resetSeconds: Type.Integer(),
    },
    closed,
  ),
  effect: 'read',
  access: { scope: 'demo:read', in: 'deployment' },
  uses: { limits: RateLimits },
  handler: ({ key, limit, seconds }, { limits }) => limits.take(key, { limit, windowSeconds: seconds }),
});
const open = echo({ name: 'demo_open', access: { scope: 'public', role: 'viewer', in: 'self' } });
const plugins = [demo([take, echo(), open, echo({ name: 'demo_write', effect: 'create' })])];

const takes = async (hosts: readonly TestHost[], count: number, args: object): Promise<RateState[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      (hosts[at % hosts.length] as TestHost).use<RateState>('demo_take', { ...args }),
    ),
  );

describe('rate limits', () => {
  eachDatabase((fresh) => {
    let hosts: TestHost[];
    before(async () => {
      const database = await fresh();
      hosts = [await testHost({ plugins, database }), await testHost({ plugins, database })];
    });
    after(async () => {
      for (const host of hosts) await host.stop();
    });
    const counted = (key: string) => (hosts[0] as TestHost).database.sql('rate_counters').where({ key });

    it('lets exactly the limit through two processes at once, where units are single', async () => {
      const states = await takes(hosts, 40, { key: 'single', limit: 15 });
      assert.equal(states.filter(({ allowed }) => allowed).length, 15);
    });

    it('never lets more than the limit through, and a process alone uses it up', async () => {
      const both = await takes(hosts, 300, { key: 'batched', limit: 100 });
      const allowed = both.filter((state) => state.allowed).length;
      assert.ok(allowed <= 100 && allowed > 90, `${allowed}`);
      const alone = await takes([hosts[0] as TestHost], 300, { key: 'alone', limit: 100 });
      assert.equal(alone.filter((state) => state.allowed).length, 100);
    });

    it('writes once for a twentieth of the limit', async () => {
      await takes([hosts[0] as TestHost], 1, { key: 'leased', limit: 1000 });
      const [row] = (await counted('leased').select('used')) as [{ used: number }];
      assert.equal(row.used, 50);
      await takes([hosts[0] as TestHost], 49, { key: 'leased', limit: 1000 });
      const [same] = (await counted('leased').select('used')) as [{ used: number }];
      assert.equal(same.used, 50);
    });

    it('counts into the window of a process whose clock is ahead, and not into one of another day', async () => {
      const { sql } = (hosts[0] as TestHost).database;
      const allowed = async (key: string, laterMs: number) => {
        await takes([hosts[0] as TestHost], 1, { key, limit: 10 });
        await counted(key).update({ ends_at: sql.raw('ends_at + ?', [laterMs]), used: 10 });
        const states = await takes([hosts[1] as TestHost], 20, { key, limit: 10 });
        return states.filter((state) => state.allowed).length;
      };
      assert.equal(await allowed('ahead', 3_600_000), 0);
      assert.equal(await allowed('set back', 10 * 24 * 3_600_000), 10);
    });

    it('says how many calls remain and when the window ends, and resets in the next', async () => {
      const [first] = await takes([hosts[0] as TestHost], 1, { key: 'short', limit: 1, seconds: 1 });
      assert.ok(first?.allowed && first.remaining === 0 && first.resetSeconds === 1 && first.limit === 1);
      await new Promise((resolve) => setTimeout(resolve, 1001));
      const [next] = await takes([hosts[1] as TestHost], 1, { key: 'short', limit: 1, seconds: 1 });
      assert.equal(next?.allowed, true);
    });
  });

  describe('on calls', () => {
    let host: TestHost;
    const settings = { limits: { read_per_minute: 3, write_per_minute: 2, open_per_minute: 1 } };
    before(async () => {
      host = await testHost({ plugins, config: settings });
    });
    after(() => host.stop());

    it('counts each user, and reads apart from writes', async function () {
      if (new Date().getUTCSeconds() > 57) await new Promise((resolve) => setTimeout(resolve, 3500)); // one window
      const remarks: unknown[] = [];
      const caller = callerWith();
      const asUser = { caller, remark: (remark: Remark) => remark.rate && remarks.push(remark) };
      for (let at = 0; at < 3; at += 1) await host.use('demo_echo', {}, asUser);
      await assert.rejects(host.use('demo_echo', {}, asUser), {
        code: 'RATE_LIMITED',
        message: /3 calls of demo:read .* Try again in \d+ s/,
      });
      assert.equal(remarks.length, 4);
      await host.use('demo_write', {}, asUser);
      await host.use('demo_echo', {}, { caller: callerWith() });
    });

    it('counts anonymous callers by network, as an IPv6 client has endless addresses', async () => {
      const from = (peer: string) => host.use('demo_open', {}, { caller: ANONYMOUS, peer });
      await from('2001:db8:1:2::1');
      await assert.rejects(from('2001:db8:1:2:ffff::2'), { code: 'RATE_LIMITED' });
      await from('2001:db8:1:3::1');
      await from('192.0.2.1');
      await assert.rejects(from('::ffff:192.0.2.1'), { code: 'RATE_LIMITED' });
      await from('192.0.2.2');
    });

    it('never counts the owner of the deployment', async () => {
      for (let at = 0; at < 10; at += 1) await host.use('demo_echo');
    });

    it('counts calls of unknown tools too', async () => {
      const caller = callerWith();
      for (let at = 0; at < 3; at += 1)
        await assert.rejects(host.use('demo_nothing', {}, { caller }), { code: 'UNKNOWN_TOOL' });
      await assert.rejects(host.use('demo_nothing', {}, { caller }), { code: 'RATE_LIMITED' });
    });
  });
});
