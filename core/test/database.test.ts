import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eachDatabase, freshDatabase, testHost } from '@service-mcp/core/testing';
import { refuses } from './fixtures.js';

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

  it('loses nothing where a process opens its file again, and another one writes and ends meanwhile', async () => {
    const made = await freshDatabase('sqlite');
    const first = await made.open();
    await first.sql.raw('CREATE TABLE notes (words TEXT)');
    const second = await made.open(); // as a command does that first looks whether there is a database
    try {
      writeFromOutside(made.dataDir);
      await second.sql('notes').insert({ words: 'from inside' });
      writeFromOutside(made.dataDir);
      const words = await first.sql('notes').pluck('words');
      assert.deepEqual(words, ['from outside', 'from inside', 'from outside']);
    } finally {
      await first.close();
      await second.close();
      await made.drop();
    }
  });

  it('looks up rows for several callers at once behind a pooler that loses prepared statements', async () => {
    const made = await freshDatabase('postgresql');
    const database = await made.open();
    try {
      const callers = [1, 2, 3, 4].map(String);
      const lookUp = database.prepare<{ n: string }>('look_up', 'SELECT ?::text AS n');
      const ask = async () => Promise.all(callers.map(async (n) => (await lookUp(n))?.n));
      assert.deepEqual(await ask(), callers);
      // Each on a connection of its own, which is like another server connection of a pooler then.
      await Promise.all(callers.map(async () => database.sql.raw('DEALLOCATE ALL')));
      assert.deepEqual(await ask(), callers);
    } finally {
      await database.close();
      await made.drop();
    }
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
      assert.match(
        await refusal((url) => url.searchParams.set('sslmode', 'verify-full')),
        /does not take encrypted connections\n.*sslmode/,
      );
      assert.match(
        await refusal((url) => {
          url.port = '1';
        }),
        /does not answer: nothing listens at its port\n.*DATABASE_URL/,
      );
    } finally {
      await made.drop();
    }
  });

  it('says what PostgreSQL has against the writes of a start: the rights of the user, or that it is read-only', async () => {
    const made = await freshDatabase('postgresql');
    const database = await made.open();
    const url = new URL(made.env['DATABASE_URL'] ?? '');
    const name = url.pathname.slice(1);
    const role = `${name}_weak`;
    const starts = (change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return testHost({ plugins: [], env: { DATABASE_URL: changed.href }, template: false });
    };
    try {
      await database.sql.raw('REVOKE CREATE ON SCHEMA public FROM public');
      await database.sql.raw(`CREATE ROLE ?? LOGIN PASSWORD 'weak'`, [role]);
      await refuses(
        () =>
          starts((weak) => {
            weak.username = role;
            weak.password = 'weak';
          }),
        /^database$/,
        /GRANT CREATE ON SCHEMA public/,
      );
      await database.sql.raw('ALTER ROLE ?? CONNECTION LIMIT 0', [role]);
      await assert.rejects(
        starts((full) => {
          full.username = role;
          full.password = 'weak';
        }),
        (error) => /has no connection free\n.*max_connections/.test(String(error)),
      );
      await database.sql.raw('DROP ROLE ??', [role]);
      await database.sql.raw('ALTER DATABASE ?? SET default_transaction_read_only = on', [name]);
      await refuses(() => starts(() => undefined), /^database$/, /primary/, /accepts no writes/);
    } finally {
      await database.close();
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

/** Another process opens the embedded database, writes a row and closes it. */
function writeFromOutside(dataDir: string): void {
  const libsql = JSON.stringify(createRequire(import.meta.resolve('@service-mcp/core')).resolve('libsql'));
  const file = JSON.stringify(join(dataDir, 'service.db'));
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--eval',
      `const database = new (require(${libsql}))(${file}); database.exec("INSERT INTO notes VALUES ('from outside')"); database.close();`,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
}
