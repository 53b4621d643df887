import assert from 'node:assert/strict';
import {
  callerWith,
  eachDatabase,
  newProcessId,
  onDatabase,
  testHost,
  type TestHost,
} from '@service-mcp/core/testing';
import { making, plugins, services } from './creating-tools.js';

describe('Idempotency-Key', () => {
  eachDatabase((fresh) => {
    let hosts: [TestHost, TestHost];
    const caller = callerWith();
    before(async () => {
      const database = await fresh();
      hosts = [await testHost({ plugins, database }), await testHost({ plugins, database })];
    });
    after(async () => {
      for (const host of hosts) await host.stop();
    });
    beforeEach(() => {
      making.runs = 0;
      making.fails = false;
    });
    const send = (tool: string, idempotencyKey: string, args: object = {}, init: object = {}) =>
      hosts[0].use<{ made: number }>(tool, args, { caller, idempotencyKey, ...init });

    it('runs one of ten at once, on two processes, and answers all with its result', async () => {
      const replayed: unknown[] = [];
      const remark = (said: object) => 'replayed' in said && replayed.push(said);
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (hosts[at % 2] as TestHost).use<{ made: number }>(
            'demo_make',
            { name: 'same' },
            { caller, idempotencyKey: 'ten', remark },
          ),
        ),
      );
      assert.equal(making.runs, 1);
      assert.deepEqual(new Set(all.map(({ made }) => made)), new Set([1]));
      assert.equal(replayed.length, 9);
    });

    it('gives a replayed result the text of its tool', async () => {
      for (let time = 0; time < 2; time += 1) {
        const [host] = hosts;
        const call = host.call({ caller, idempotencyKey: 'text' });
        const result = await host.catalog.call('demo_make', {}, call);
        assert.ok(result.kind === 'complete');
        assert.equal(result.text?.(result.structured), 'x 1');
      }
    });

    it('refuses the key for another body or another tool, and not for another order of keys', async () => {
      await send('demo_make', 'body', { name: 'a' });
      await assert.rejects(send('demo_make', 'body', { name: 'b' }), { code: 'CONFLICT' });
      await assert.rejects(send('demo_make_other', 'body', { name: 'a' }), { code: 'CONFLICT' });
      assert.deepEqual(await send('demo_make', 'body', { name: 'a' }), { made: 1 });
    });

    it('is each user’s own', async () => {
      await send('demo_make', 'own');
      assert.deepEqual(await send('demo_make', 'own', {}, { caller: callerWith() }), { made: 2 });
    });

    it('does not return a result from another workspace', async () => {
      const made = (workspaceId: string) =>
        send('demo_make_inside', 'inside', {}, { caller: { ...caller, workspaceId } });
      assert.deepEqual(await made('w1'), { made: 1 });
      assert.deepEqual(await made('w1'), { made: 1 });
      await assert.rejects(made('w2'), { code: 'CONFLICT', message: /another request/ });
    });

    it('has no result of a workspace once its data are erased', async () => {
      const inside = (workspaceId: string) =>
        send('demo_make_inside', `erased ${workspaceId}`, {}, { caller: { ...caller, workspaceId } });
      await inside('w8');
      await inside('w9');
      const { sql } = hosts[0].database;
      for (const part of services().data) await part.erase(sql, 'w8');
      assert.deepEqual(await sql('idempotency_keys').whereLike('key', 'erased %').pluck('key'), [
        'erased w9',
      ]);
    });

    it('is that of the outer call alone, where one that creates calls another', async () => {
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(await send('demo_make_two', 'outer'), { made: 2 });
      assert.equal(making.runs, 2);
      // Nor where the outer one keeps no result.
      assert.deepEqual(await send('demo_make_two_secret', 'outer secret'), { made: 2 });
    });

    it('says what was created before a call failed, and why it failed', async () => {
      await assert.rejects(send('demo_make_part', 'part'), { message: 'not today' });
      await assert.rejects(send('demo_make_part', 'part'), {
        code: 'CONFLICT',
        message: /was carried out in part, and then failed: not today The ids/,
        details: {
          events: ['a', 'b'].map((id) => ({ type: 'demo.made', workspace_id: null, data: { id } })),
        },
      });
    });

    it('does not store a failure', async () => {
      making.fails = true;
      await assert.rejects(send('demo_make', 'again'), { code: 'CONFLICT', message: 'not today' });
      making.fails = false;
      assert.deepEqual(await send('demo_make', 'again'), { made: 2 });
    });

    it('keeps the key of a creation that was committed, although its call failed', async () => {
      making.fails = true;
      const failing = assert.rejects(send('demo_make', 'committed'), { message: 'not today' });
      const key = () => hosts[0].database.sql('idempotency_keys').where({ key: 'committed' });
      while ((await key().update({ made: '[]' })) === 0); // as the transaction of a creation does
      await failing;
      making.fails = false;
      await assert.rejects(send('demo_make', 'committed'), { code: 'CONFLICT', message: /was carried out/ });
      assert.equal(making.runs, 1);
    });

    it('stores the result of a call whose caller disconnected', async () => {
      const signal = AbortSignal.timeout(20);
      await assert.rejects(send('demo_make', 'late', {}, { signal }), { code: 'DEADLINE_EXCEEDED' });
      assert.deepEqual(await send('demo_make', 'late'), { made: 1 });
      assert.equal(making.runs, 1);
    });

    /** The key of a call whose process was killed, and is of this machine or another. */
    const leaveKey = async (key: string, left: object) => {
      await send('demo_make', 'model');
      const keys = () => hosts[0].database.sql('idempotency_keys');
      const model = (await keys().where({ key: 'model' }).first()) as object;
      await keys().insert({ ...model, key, result: null, ...left });
      making.runs = 0;
    };

    it('runs again at once when the process died before it created something', async () => {
      await leaveKey('dead', { holder: newProcessId() });
      assert.deepEqual(await send('demo_make', 'dead'), { made: 1 });
      assert.deepEqual(await send('demo_make', 'dead'), { made: 1 });
      await leaveKey('elsewhere', {
        holder: 'other/1/x',
        alive_until: new Date(Date.now() + 700).toISOString(),
      });
      assert.deepEqual(await send('demo_make', 'elsewhere'), { made: 1 });
      assert.equal(making.runs, 1);
    });

    it('says what was created when the process died before it answered', async () => {
      const events = [{ type: 'demo.made', workspaceId: 'w1', data: { id: 'x' } }];
      await leaveKey('made', { holder: newProcessId(), made: JSON.stringify(events) });
      await assert.rejects(send('demo_make', 'made'), {
        code: 'CONFLICT',
        details: { events: [{ type: 'demo.made', workspace_id: 'w1', data: { id: 'x' } }] },
      });
      assert.equal(making.runs, 0);
    });

    it('expires after 24 hours', async () => {
      await send('demo_make', 'old');
      const created_at = new Date(Date.now() - 24 * 60 * 60_000 - 1).toISOString();
      await hosts[0].database.sql('idempotency_keys').where({ key: 'old' }).update({ created_at });
      assert.deepEqual(await send('demo_make', 'old', { name: 'other' }), { made: 2 });
    });

    it('stores no secrets, and applies to creating tools alone', async () => {
      for (const tool of ['demo_secret', 'demo_change']) {
        making.runs = 0;
        await send(tool, 'plain');
        await send(tool, 'plain');
        assert.equal(making.runs, 2, tool);
      }
      const kept = await hosts[0].database.sql('idempotency_keys').where({ key: 'plain' });
      assert.equal(kept.length, 0);
    });
  });

  // SQLite has one connection, on which no statement overtakes another.
  onDatabase('postgresql', (fresh) => {
    for (const late of ['select', 'delete'] as const)
      it(`runs again once, of two that repeat a call whose failure could not be stored, where a ${late} is late`, async () => {
        const host = await testHost({ plugins, database: await fresh() });
        try {
          const { sql } = host.database;
          const caller = callerWith();
          const send = () =>
            host.use<{ made: number }>('demo_make', {}, { caller, idempotencyKey: 'unstored' });
          await send();
          await sql('idempotency_keys').update({ result: null });
          making.runs = 0;
          // Of the second call, so late that the first has the key again; the first waits until the second has seen that it is left.
          const client = sql.client as {
            query(connection: unknown, query: { sql: string }): Promise<unknown>;
          };
          const query = client.query.bind(client);
          let met = 0;
          client.query = async (connection, statement) => {
            if (statement.sql.startsWith(late) && statement.sql.includes('"idempotency_keys"')) {
              const place = ++met;
              const isEarly = () => (place === 1 ? met < 2 : place === 2 && making.runs === 0);
              while (isEarly()) await new Promise((resolve) => setTimeout(resolve, 5));
            }
            return query(connection, statement);
          };
          const both = await Promise.all([send(), send()]);
          assert.equal(making.runs, 1);
          assert.deepEqual(both, [{ made: 1 }, { made: 1 }]);
        } finally {
          await host.stop();
        }
      });
  });
});
