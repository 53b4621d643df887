import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import {
  Authenticator,
  ServiceError,
  defineTransport,
  definePlugin,
  provide,
  redact,
  type Database,
  type Log,
} from '@service-mcp/core';
import { eachDatabase, onDatabase, rejects, testHost } from '@service-mcp/core/testing';

/** A log that keeps its messages. */
function keepingLog(): Log & { readonly messages: string[]; readonly fields: object[] } {
  const messages: string[] = [];
  const fields: object[] = [];
  const keep = (field: object, message: string) => {
    fields.push(redact(field) as object);
    messages.push(message);
  };
  const log = { messages, fields, debug: keep, info: keep, warn: keep, error: keep, child: () => log };
  return log;
}

/** Makes an engine take no writes: PostgreSQL in each transaction, SQLite by its connection. */
const readOnly = (database: Database, sql = database.sql) =>
  sql.raw(database.engine === 'sqlite' ? 'PRAGMA query_only = 1' : 'SET TRANSACTION READ ONLY');

/** Passes connections on to PostgreSQL, until it refuses them: in the words of pgbouncer, or of another `code`. */
async function startPooler(port: number, host: string) {
  let refusal: string | undefined;
  let refusalCode: string;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (refusal !== undefined) {
      const fields = Buffer.from(`SFATAL\0C${refusalCode}\0M${refusal}\0\0`);
      const head = Buffer.from('E\0\0\0\0');
      head.writeInt32BE(4 + fields.length, 1);
      client.once('data', () => client.end(Buffer.concat([head, fields])));
      return;
    }
    const own = connect(port, host).on('error', () => client.destroy());
    open.add(client);
    client.on('close', () => own.destroy()).pipe(own);
    own.on('close', () => client.destroy()).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    refuse(words: string, code = '08P01') {
      [refusal, refusalCode] = [words, code];
      for (const client of open) client.destroy();
    },
    close: () => server.close(),
  };
}

describe('a database that cannot serve', () => {
  eachDatabase((fresh) => {
    it('is UNAVAILABLE with a reason and the time to wait, without SQL, and logged once', async () => {
      const log = keepingLog();
      const database = await (await fresh()).open(log);
      try {
        await database.sql.raw('CREATE TABLE notes (text TEXT)');
        for (let n = 0; n < 3; n++) {
          const write = database.transaction(async (sql) => {
            await readOnly(database, sql);
            await sql('notes').insert({ text: 'x' });
          });
          const error = await rejects(write, 'UNAVAILABLE', /no writes/);
          assert.deepEqual(error.details, { reason: 'read_only', retry_after: 5 });
          assert.doesNotMatch(error.message, /insert|notes/i);
        }
        assert.deepEqual(await database.sql('notes'), []);
        assert.equal(log.messages.length, 1, log.messages.join('\n'));
        assert.match(log.messages[0] ?? '', /accepts no writes.*reading works/);
      } finally {
        await database.close();
      }
    });
  });

  onDatabase('postgresql', (fresh) => {
    it('that has no connection free says so to callers and in its state', async () => {
      const made = await fresh();
      const owner = await made.open();
      const url = new URL(made.env['DATABASE_URL'] ?? '');
      const role = `full_${url.pathname.slice(1)}`;
      Object.assign(url, { username: role, password: 'weak' });
      await owner.sql.raw(`CREATE ROLE ?? LOGIN PASSWORD 'weak'`, [role]);
      await owner.sql.raw('GRANT CREATE ON SCHEMA public TO ??', [role]);
      const host = await testHost({
        workers: false,
        listen: true,
        env: { DATABASE_URL: url.href },
        template: false,
      });
      const answer = async (): Promise<unknown> =>
        host.database.sql.raw('SELECT 1').catch((error: unknown) => error);
      try {
        await owner.sql.raw('ALTER ROLE ?? CONNECTION LIMIT 0', [role]);
        await owner.sql.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?', [
          role,
        ]);
        let failed = await answer(); // first the end of its connections
        for (let tries = 1; tries < 12 && !String(failed).includes('connection free'); tries += 1)
          failed = await answer();
        assert.ok(failed instanceof ServiceError && failed.code === 'UNAVAILABLE');
        assert.deepEqual(failed.details, { reason: 'no_connection', retry_after: 2 });
        const ready = await fetch(`${host.url}/ready`);
        assert.equal(ready.status, 503);
        assert.match(await ready.text(), /no connection free.*the operator must raise/);
      } finally {
        await host.stop();
        await owner.sql.raw('DROP OWNED BY ??', [role]);
        await owner.sql.raw('DROP ROLE ??', [role]);
        await owner.close();
      }
    });

    it('behind a pooler at its limit says so, whatever code that has', async () => {
      const { env } = await fresh();
      const url = new URL(env['DATABASE_URL'] ?? '');
      const pooler = await startPooler(Number(url.port || 5432), url.hostname);
      Object.assign(url, { hostname: '127.0.0.1', port: String(pooler.port) });
      const options = { listen: true, workers: false, template: false, env: { DATABASE_URL: url.href } };
      const host = await testHost(options);
      try {
        for (const refusal of ['no more connections allowed (max_client_conn)', 'query_wait_timeout']) {
          pooler.refuse(refusal);
          await host.database.sql.raw('SELECT 1').catch(() => undefined); // its connections end
          const error = await rejects(host.database.sql.raw('SELECT 1'), 'UNAVAILABLE', /connection free/);
          assert.equal(error.details?.['reason'], 'no_connection');
          assert.match(await (await fetch(`${host.url}/ready`)).text(), /no connection free/);
        }
        await assert.rejects(testHost(options), /the connection pooler .* default_pool_size/s);
        for (const [refusal, code, reason, shown] of [
          ['password authentication failed', '28P01', 'refused', /"failed",.*DATABASE_URL and restart/],
          ['could not read block 1', '58030', 'disk_failing', /"failed",.*disk .* fails.*Read the log/],
          ['could not write init file', 'XX000', 'no_room', /"failed",.*so full.*Free space/],
        ] as const) {
          pooler.refuse(refusal, code);
          const { details } = await rejects(host.database.sql.raw('SELECT 1'), 'UNAVAILABLE');
          assert.equal(details?.['reason'], reason);
          assert.match(await (await fetch(`${host.url}/ready`)).text(), shown);
        }
        await assert.rejects(testHost(options), /its disk is full.*Free space/s);
        pooler.refuse('server login has been failing');
        await rejects(host.database.sql.raw('SELECT 1'), 'UNAVAILABLE', /does not answer/);
      } finally {
        await host.stop();
        pooler.close();
      }
    });

    it('that ends a statement, a wait or a transaction for its time limit is busy or away, and calls may be repeated', async () => {
      const database = await (await fresh()).open();
      try {
        await database.sql.raw('CREATE TABLE notes (text TEXT)');
        const locked = await database.sql.transaction();
        await locked.raw('LOCK TABLE notes');
        for (const [limit, statement, reason] of [
          ['statement_timeout', 'SELECT pg_sleep(5)', 'busy'],
          ['lock_timeout', 'SELECT text FROM notes', 'busy'],
          ['transaction_timeout', 'SELECT pg_sleep(5)', 'unreachable'],
        ] as const) {
          const slow = database.transaction(async (sql) => {
            await sql.raw(`SET LOCAL ${limit} = '50ms'`);
            await sql.raw(statement);
          });
          const error = await rejects(slow, 'UNAVAILABLE');
          assert.deepEqual(error.details, { reason, retry_after: 2 }, limit);
        }
        await locked.rollback();
      } finally {
        await database.close();
      }
    });
  });

  it('with a full disk fails writes alone', async () => {
    const host = await testHost({ workers: false });
    const { sql } = host.database;
    try {
      await sql.raw('CREATE TABLE notes (text TEXT)');
      await sql('notes').insert({ text: 'kept' });
      const [{ page_count: pages }] = (await sql.raw('PRAGMA page_count')) as [{ page_count: number }];
      await sql.raw(`PRAGMA max_page_count = ${pages}`);
      const write = sql('notes').insert({ text: 'x'.repeat(100_000) });
      const error = await rejects(write, 'UNAVAILABLE', /disk of the database is full/);
      assert.equal(error.details?.['reason'], 'disk_full');
      assert.deepEqual(await sql('notes').pluck('text'), ['kept']);
    } finally {
      await host.stop();
    }
  });

  onDatabase('sqlite', (fresh) => {
    it('with a full disk that takes small writes is told of once, and of its end once large ones succeed', async () => {
      const log = keepingLog();
      const database = await (await fresh()).open(log);
      const { sql } = database;
      const write = (length: number) => sql('notes').insert({ text: 'x'.repeat(length) });
      const { now } = Date;
      let ahead = 0;
      const passed = (seconds: number) => (ahead += seconds * 1000);
      Date.now = () => now() + ahead;
      try {
        await sql.raw('CREATE TABLE notes (text TEXT)');
        await write(1);
        await sql.raw('PRAGMA max_page_count = 1');
        for (let n = 0; n < 4; n++) {
          await rejects(write(100_000), 'UNAVAILABLE', /full/);
          passed(20);
          await write(1);
          await database.ping(); // the next write may succeed: it is tried
        }
        assert.equal(log.messages.length, 1, log.messages.join('\n'));
        assert.doesNotMatch(JSON.stringify(log.fields), /stack/);
        await sql.raw('PRAGMA max_page_count = 1000000');
        await write(100_000);
        passed(45);
        await write(1);
        assert.match(log.messages[1] ?? '', /is back/);
      } finally {
        Date.now = now;
        await database.close();
      }
    });
  });

  it('with a disk that is full in the middle of a transaction keeps nothing of it and says why', async () => {
    const host = await testHost({ workers: false });
    const { database } = host;
    try {
      await database.sql.raw('CREATE TABLE notes (text TEXT)');
      const [{ page_count: pages }] = (await database.sql.raw('PRAGMA page_count')) as [
        { page_count: number },
      ];
      await database.sql.raw(`PRAGMA max_page_count = ${pages + 4}`);
      const write = database.transaction(async (sql) => {
        await sql('notes').insert({ text: 'before' });
        const large = sql('notes').insert({ text: 'x'.repeat(100_000) });
        // SQLite rolls back by itself here; what was sent beside it must not be committed on its own.
        const results = await Promise.allSettled([large, sql('notes').insert({ text: 'after' })]);
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      });
      const error = await rejects(write, 'UNAVAILABLE', /disk of the database is full/);
      assert.equal(error.details?.['reason'], 'disk_full');
      const swallowed = database.transaction(async (sql) => {
        await sql('notes')
          .insert({ text: 'x'.repeat(100_000) })
          .catch(() => undefined);
        await sql('notes').insert({ text: 'after' });
      });
      await rejects(swallowed, 'UNAVAILABLE', /disk of the database is full/);
      assert.deepEqual(await database.sql('notes'), []);
      await database.sql('notes').insert({ text: 'next' });
      await database.transaction((sql) => sql('notes').insert({ text: 'next' }));
      assert.equal((await database.sql('notes')).length, 2);
    } finally {
      await host.stop();
    }
  });
});

describe('the deadline of a call', () => {
  it('begins before its credentials are checked', async () => {
    const silent = provide(Authenticator, {
      uses: {},
      create: () => ({
        verifiesJwt: false,
        challenge: () => 'Bearer',
        authenticate: () => new Promise<never>(() => undefined),
      }),
    });
    const greeting = defineTransport({
      id: 'greeting',
      description: 'For tests.',
      api: '^1',
      mount({ http }) {
        http.router.get('/greeting', async (ctx) => {
          await http.call(ctx, 'rest');
          ctx.body = 'hello';
        });
      },
    });
    const host = await testHost({
      plugins: [definePlugin({ id: 'silent', description: 'For tests.', api: '^1', services: [silent] })],
      transports: [greeting],
      config: { server: { call_timeout_ms: 200 } },
    });
    try {
      assert.equal((await fetch(`${host.url}/greeting`)).status, 504);
    } finally {
      await host.stop();
    }
  });
});
