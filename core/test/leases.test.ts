import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Leases, provide, token } from '@service-mcp/core';
import { eachDatabase, newProcessId, testHost, type TestDatabase } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

const Handle = token<object>('demo.Handle');

/** A process of a deployment, with its leases. */
async function processOver(database: TestDatabase) {
  let leases: Leases | undefined;
  const service = provide(Handle, {
    uses: { leases: Leases },
    create: (used) => ({ leases: (leases = used.leases) }),
  });
  const host = await testHost({ plugins: [demo([], { services: [service] })], database });
  assert.ok(leases);
  return { leases, host };
}

eachDatabase((fresh) => {
  describe('a lease', () => {
    it('is held once, by whoever took it first, until its release or the end of its process', async () => {
      const database = await fresh();
      const one = await processOver(database);
      const other = await processOver(database);
      const lease = await one.leases.take('w1');
      assert.equal(await lease?.holds(), true);
      assert.equal(await one.leases.take('w1'), undefined, 'not even its own process takes it again');
      assert.equal(await other.leases.take('w1'), undefined);
      assert.ok(await other.leases.take('w2'));
      await lease?.release();
      assert.ok(await other.leases.take('w1'));
      await other.host.stop();
      assert.ok(await one.leases.take('w1'));
      assert.ok(await one.leases.take('w2'));
      await one.host.stop();
    });

    it('is lost to a holder that did not renew it in time and was replaced', async () => {
      const database = await fresh();
      const one = await processOver(database);
      const other = await processOver(database);
      const lease = await one.leases.take('w1');
      const late = () =>
        one.host.database
          .sql('leases')
          .where({ name: 'w1' })
          .update({ expires_at: '2026-01-01T00:00:00.000Z' });
      await late();
      assert.equal(await lease?.holds(), true, 'late, but nobody was waiting');
      await late();
      const taken = await other.leases.take('w1');
      assert.equal(await taken?.holds(), true);
      assert.equal(await lease?.holds(), false);
      await lease?.release();
      assert.equal(await taken?.holds(), true, 'a lost lease is not released for its new holder');
      await one.host.stop();
      await other.host.stop();
    });

    it('of a dead process is free at once on its own machine, not on another of the same name', async function () {
      const bootId = '/proc/sys/kernel/random/boot_id';
      if (!existsSync(bootId)) return this.skip();
      const { leases, host } = await processOver(await fresh());
      const dead = newProcessId(2 ** 22 - 1);
      const elsewhere = dead.replace(readFileSync(bootId, 'utf8').trim(), crypto.randomUUID());
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      await host.database.sql('leases').insert([
        { name: 'here', holder: dead, expires_at },
        { name: 'elsewhere', holder: elsewhere, expires_at },
      ]);
      assert.ok(await leases.take('here'));
      assert.equal(await leases.take('elsewhere'), undefined);
      await host.stop();
    });
  });
});
