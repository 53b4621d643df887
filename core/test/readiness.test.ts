import assert from 'node:assert/strict';
import { Database, HealthChecks, contribute } from '@service-mcp/core';
import { eachDatabase, testHost } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

describe('the state of the parts', () => {
  it('has the remedy of a check, at /ready too', async () => {
    const found = { status: 'degraded', message: 'is worn', remedy: 'oil it' } as const;
    const service = contribute(HealthChecks, {
      uses: {},
      create: () => ({ name: 'wheel', check: async () => found }),
    });
    const host = await testHost({ plugins: [demo([], { services: [service] })], listen: true });
    try {
      const { checks } = (await (await fetch(`${host.url}/ready`)).json()) as { checks: object[] };
      assert.deepEqual(
        checks.find((check) => 'name' in check && check.name === 'wheel'),
        { name: 'wheel', ...found },
      );
    } finally {
      await host.stop();
    }
  });

  it('says that a check was cut off where the database did not answer it, and what the operator does', async () => {
    const service = contribute(HealthChecks, {
      uses: { database: Database },
      create: ({ database }) => ({
        name: 'wheel',
        async check() {
          await database.transaction(() =>
            Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
          );
          return { status: 'ok', message: 'turns' };
        },
      }),
    });
    const host = await testHost({ plugins: [demo([], { services: [service] })], workers: false });
    try {
      const found = (await host.health()).find(({ name }) => name === 'wheel');
      assert.equal(found?.status, 'failed');
      assert.match(found.message, /^the check was cut off: The database does not answer/);
      assert.match((found as { remedy?: string }).remedy ?? '', /DATABASE_URL/);
    } finally {
      await host.stop();
    }
  });

  eachDatabase((fresh) => {
    it('leaves open whether a worker runs while the database takes no writes', async () => {
      const host = await testHost({
        database: await fresh(),
        listen: true,
        workers: false,
        env: { SERVICE_WORKERS: 'elsewhere' },
      });
      const { database } = host;
      const told = async () => {
        const found = (await host.health()).find(({ name }) => name === 'background work');
        assert.equal(found?.status, 'degraded');
        return found.message;
      };
      const isPostgres = database.engine === 'postgresql';
      const readOnly = async (on: boolean) => {
        if (!isPostgres) return database.sql.raw(`PRAGMA query_only = ${on ? 1 : 0}`);
        const [{ name }] = (await database.sql.raw('SELECT current_database() AS name')).rows as [
          { name: string },
        ];
        await database.sql.raw(`ALTER DATABASE ?? SET default_transaction_read_only = ${String(on)}`, [name]);
        return database.sql.raw(`SET default_transaction_read_only = ${String(on)}`);
      };
      try {
        assert.match(await told(), /no service-mcp worker runs/);
        await readOnly(true);
        await database
          .sql('deployment_values')
          .delete()
          .where({ name: 'none' })
          .catch(() => 0);
        assert.match(await told(), /^not known: the database takes no writes/);
      } finally {
        await host.stop();
      }
    });
  });
});
