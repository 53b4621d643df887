import assert from 'node:assert/strict';
import { Events, type Sql } from '@service-mcp/core';
import { onDatabase, probe, testHost, type TestHost } from '@service-mcp/core/testing';

onDatabase('postgresql', (fresh) => {
  describe('changes that wait for each other', function () {
    this.timeout(20_000);
    const { plugin, services } = probe({ events: Events });
    let host: TestHost;
    before(async () => {
      host = await testHost({ plugins: [plugin], database: await fresh() });
      await host.database.sql('deployment_values').insert([
        { name: 'left', value: '0' },
        { name: 'right', value: '0' },
      ]);
    });
    after(() => host.stop());

    const add = (sql: Sql, name: string) =>
      sql('deployment_values')
        .where({ name })
        .update({ value: sql.raw('(value::integer + 1)::text') });

    it('are both made, the one that is rolled back again', async () => {
      let attempts = 0;
      let bothHold = () => {};
      const barrier = new Promise<void>((resolve) => (bothHold = resolve));
      const change = (first: string, second: string) =>
        services().events.change(async (sql) => {
          await add(sql, first);
          attempts += 1;
          if (attempts === 2) bothHold();
          await barrier;
          await add(sql, second);
        });
      await Promise.all([change('left', 'right'), change('right', 'left')]);
      const values = await host.database
        .sql('deployment_values')
        .whereIn('name', ['left', 'right'])
        .pluck('value');
      assert.deepEqual([values, attempts], [['2', '2'], 3]);
    });

    it('fail at once for another reason', async () => {
      let attempts = 0;
      const change = services().events.change(async (sql) => {
        attempts += 1;
        await sql.raw('SELECT 1 / 0');
      });
      await assert.rejects(change, /division by zero/);
      assert.equal(attempts, 1);
    });
  });
});
