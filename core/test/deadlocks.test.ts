import assert from 'node:assert/strict';
import { Database, Events, type Sql } from '@service-mcp/core';
import { behindLock, onDatabase, probe, testHost, type TestHost } from '@service-mcp/core/testing';

type Run = (work: (sql: Sql) => Promise<void>) => Promise<void>;

onDatabase('postgresql', (fresh) => {
  const { plugin, services } = probe({ events: Events, database: Database });
  const WAYS: ReadonlyArray<[what: string, run: Run]> = [
    ['changes', (work) => services().events.change(work)],
    ['transactions', (work) => services().database.transaction(work)],
  ];
  for (const [what, run] of WAYS) {
    describe(`${what} that wait for each other`, () => {
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
      const valuesOf = (...names: string[]) =>
        host.database.sql('deployment_values').whereIn('name', names).orderBy('name').pluck('value');
      /** Counts attempts; the first two go on once both are there. One that runs again can meet the other again, so three are the fewest. */
      const meeting = () => {
        let attempts = 0;
        let meet = () => {};
        const both = new Promise<void>((resolve) => (meet = resolve));
        return {
          get attempts() {
            return attempts;
          },
          enter: () => {
            attempts += 1;
            if (attempts === 2) meet();
            return both;
          },
        };
      };

      it('are both made, the one that is rolled back again', async () => {
        const met = meeting();
        const change = (first: string, second: string) =>
          run(async (sql) => {
            await add(sql, first);
            await met.enter();
            await add(sql, second);
          });
        await Promise.all([change('left', 'right'), change('right', 'left')]);
        assert.deepEqual(await valuesOf('left', 'right'), ['2', '2']);
        assert.ok(met.attempts >= 3, `${met.attempts} attempts`);
      });

      it('are both made where the operator chose a stricter isolation', async () => {
        const met = meeting();
        const change = () =>
          run(async (sql) => {
            await sql.raw('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
            await sql('deployment_values').where({ name: 'left' }).first();
            await met.enter();
            await add(sql, 'left');
          });
        await Promise.all([change(), change()]);
        assert.deepEqual(await valuesOf('left'), ['4']);
        assert.ok(met.attempts >= 3, `${met.attempts} attempts`);
      });

      it('fail at once for another reason', async () => {
        let attempts = 0;
        const change = run(async (sql) => {
          attempts += 1;
          await sql.raw('SELECT 1 / 0');
        });
        await assert.rejects(change, /division by zero/);
        assert.equal(attempts, 1);
      });
    });
  }

  it('statements of their own are made, also where the operator chose a stricter isolation', async () => {
    const database = await fresh();
    const operator = await database.open();
    await operator.sql.raw('CREATE TABLE counts (value INTEGER)');
    await operator.sql.raw('INSERT INTO counts VALUES (0)');
    await operator.sql.raw(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = ''serializable''', current_database()); END $$",
    );
    await operator.close();
    const opened = await database.open();
    try {
      const add = (sql: Sql) => sql('counts').increment('value', 1);
      const [added] = await behindLock(opened, add, [async () => add(opened.sql)]);
      assert.equal(added?.status, 'fulfilled');
      assert.deepEqual(await opened.sql('counts').pluck('value'), [2]);
    } finally {
      await opened.close();
    }
  });
});
