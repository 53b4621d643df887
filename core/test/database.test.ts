import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eachDatabase, freshDatabase, testHost } from '@service-mcp/core/testing';

describe('the database', () => {
  it('that is damaged is told, on nothing but the error', async () => {
    const database = await freshDatabase('sqlite');
    const write = process.stdout.write.bind(process.stdout);
    let printed = '';
    try {
      await writeFile(join(database.dataDir, 'service.db'), 'garbage\n');
      process.stdout.write = (text) => ((printed += String(text)), true);
      await assert.rejects(testHost({ database }), /is damaged\n.*Restore it from a backup/);
    } finally {
      process.stdout.write = write;
      await database.drop();
    }
    assert.equal(printed, '');
  });

  it('says what PostgreSQL has against a connection: the password, the user or the name of the database', async () => {
    const made = await freshDatabase('postgresql');
    const refusal = async (change: (url: URL) => void) => {
      const url = new URL(made.env['DATABASE_URL'] ?? '');
      change(url);
      const starting = testHost({ plugins: [], env: { DATABASE_URL: url.href } });
      return starting.then(
        () => assert.fail('it started'),
        (error: unknown) => String(error),
      );
    };
    try {
      assert.match(
        await refusal((url) => {
          url.pathname = '/no_such_database';
        }),
        /has no database of this name\n.*CREATE DATABASE.*DATABASE_URL/,
      );
      assert.match(
        await refusal((url) => {
          url.password = 'wrong';
        }),
        /rejects the user or the password\n.*DATABASE_URL/,
      );
    } finally {
      await made.drop();
    }
  });

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
