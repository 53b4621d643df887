import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';

describe('the database', () => {
  eachDatabase((fresh) => {
    it('names no values in its errors, which are logged: they may be hashes of passwords, keys and content', async () => {
      const database = await (await fresh()).open();
      try {
        const secret = 'of-a-person';
        for (const failing of [
          async () => database.sql('nowhere').insert({ secret }),
          async () => database.sql.raw('SELECT * FROM nowhere WHERE secret = ?', [secret]),
          async () => database.transaction((sql) => sql('nowhere').where({ secret }).delete()),
        ]) {
          const thrown = await failing().then(
            () => assert.fail('it was answered'),
            (error: unknown) => error as Error,
          );
          assert.match(thrown.message, /nowhere/);
          assert.ok(!thrown.message.includes(secret), thrown.message);
        }
      } finally {
        await database.close();
      }
    });
  });
});
