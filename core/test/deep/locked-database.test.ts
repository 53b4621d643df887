import assert from 'node:assert/strict';
import type { ServiceError } from '@service-mcp/core';
import { onDatabase, rejects, testHost } from '@service-mcp/core/testing';
import { refuses } from '../fixtures.js';

interface Check {
  readonly status: string;
  readonly message: string;
  readonly remedy?: string;
}

onDatabase('sqlite', (fresh) => {
  it('a start that meets the copy of its embedded database says so', async () => {
    const made = await fresh();
    const copied = await made.open();
    await copied.sql.raw('PRAGMA journal_mode = DELETE'); // as migrate --from
    await copied.transaction(() =>
      refuses(
        () => testHost({ database: made, workers: false }),
        /^database$/,
        /Wait until it is done/,
        /another process keeps .*service\.db locked/,
      ),
    );
    await copied.close();
  });

  it('a transaction that waits for another connection ends, and is named', async () => {
    const made = await fresh();
    const logged: object[] = [];
    const keep = (fields: object) => void logged.push(fields);
    const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };
    const opened = await made.open(log);
    const { sql } = opened;
    await sql.raw('CREATE TABLE notes (words TEXT)');
    const reads: Array<Promise<ServiceError>> = [];
    const waiting = opened.transaction(async (own) => {
      await own('notes').insert({ words: 'inside' });
      reads.push(rejects(Promise.resolve(sql('notes').select()), 'UNAVAILABLE')); // of another caller, who waits as well
      await sql('notes').insert({ words: 'beside' });
    });
    const errors = [await rejects(waiting, 'UNAVAILABLE'), ...(await Promise.all(reads))];
    assert.equal(errors.length, 2);
    for (const { details, cause } of errors) {
      assert.equal(details?.['reason'], 'stuck');
      assert.match(String(cause), /runs no statement; it began at .*locked-database\.test\.js/);
    }
    assert.match(JSON.stringify(logged), /locked-database\.test\.js/);
    await sql('notes').insert({ words: 'after' });
    assert.deepEqual(await sql('notes').pluck('words'), ['after']);
    await opened.close();
  });

  it('a transaction ends that waits for a query which came before it began', async () => {
    const opened = await (await fresh()).open();
    const { sql } = opened;
    await sql.raw('SELECT 1');
    const reads: Array<Promise<unknown>> = [];
    const waiting = opened.transaction(async () => void (await Promise.all(reads)));
    await Promise.resolve(); // the transaction has the connection, and has not begun
    reads.push(Promise.resolve(sql.raw('SELECT 2')));
    const { details } = await rejects(waiting, 'UNAVAILABLE');
    assert.equal(details?.['reason'], 'stuck');
    await opened.close();
  });

  it('a transaction that waits for another connection is told at /ready', async () => {
    const host = await testHost({ database: await fresh(), workers: false, listen: true });
    const { database } = host;
    const waiting = rejects(
      database.transaction(async () => void (await database.sql.raw('SELECT 1'))),
      'UNAVAILABLE',
    );
    const ask = async () => (await (await fetch(`${host.url}/ready`)).json()) as { checks: Check[] };
    let found: Check | undefined;
    for (let tries = 0; tries < 20 && !found?.message.includes('for itself'); tries += 1)
      [found] = (await ask()).checks;
    assert.equal(found?.status, 'degraded');
    assert.match(found.message, /keeps the database for itself/);
    assert.equal(found.remedy, 'Read the log of the service.');
    await waiting;
    await host.stop();
  });

  it('a transaction that goes on is waited for', async () => {
    const made = await fresh();
    const opened = await made.open();
    const long = opened.transaction(async (own) => {
      for (let i = 0; i < 12; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await own.raw('SELECT 1');
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await opened.sql.raw('SELECT 1');
    await long;
    await opened.close();
  });
});
