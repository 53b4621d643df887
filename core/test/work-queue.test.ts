import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  WorkQueues,
  addWorkColumns,
  provide,
  token,
  type Sql,
  type WorkQueue,
  type WorkRow,
} from '@service-mcp/core';
import { eachDatabase, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { demo } from './fixtures.js';

interface Thing extends WorkRow {
  readonly kind: string;
}

const Handle = token<object>('demo.Handle');

eachDatabase((fresh) => {
  describe('a work queue', () => {
    let host: TestHost;
    let queues: WorkQueues;
    let queue: WorkQueue<Thing>;
    let other: WorkQueue<Thing>;
    let sql: Sql;
    let database: TestDatabase;

    before(async () => {
      const plugin = demo([], {
        migrations: [
          {
            id: '001_things',
            async up(database) {
              await database.schema.createTable('things', (table) => {
                table.text('kind').notNullable();
                table.text('id').notNullable();
                table.text('workspace_id').notNullable();
                table.integer('bytes').notNullable();
                table.primary(['kind', 'id']);
              });
              await addWorkColumns(database, 'things', ['kind']);
            },
          },
        ],
        services: [
          provide(Handle, {
            uses: { queues: WorkQueues },
            create: (used) => {
              queues = used.queues;
              queue = queues.open<Thing>({ name: 'things', table: 'things', where: { kind: 'a' } });
              other = queues.open<Thing>({ name: 'others', table: 'things', where: { kind: 'b' } });
              return {};
            },
          }),
        ],
      });
      database = await fresh();
      host = await testHost({ plugins: [plugin], database });
      sql = host.database.sql;
    });
    beforeEach(() => sql('things').delete());
    after(() => host.stop());

    it('claims inside one workspace alone', async () => {
      await add(['x1'], 'w1');
      await add(['y1'], 'w2');
      assert.deepEqual(await queue.waitingWorkspaces(), ['w1', 'w2']);
      assert.deepEqual(ids(await queue.claim({ limit: 10, only: 'w2' })), ['y1']);
      assert.deepEqual(ids(await queue.claim({ limit: 10, only: 'w3' })), []);
    });

    it('tells who waits while another process writes', async () => {
      await add(['x1'], 'w1');
      const elsewhere = await database.open();
      const writing = await elsewhere.sql.transaction();
      try {
        await writing('things').update({ bytes: 2 });
        assert.deepEqual(await queue.waitingWorkspaces(), ['w1']);
      } finally {
        await writing.rollback();
        await elsewhere.close();
      }
    });

    it('gives small changes out before what waits longer, newest first, and each once', async () => {
      const change = async (names: readonly string[], since: string, workspace = 'w1') => {
        await add(names, workspace);
        await sql('things').whereIn('id', names).update({ pending_since: since });
      };
      const bulk = Array.from({ length: 300 }, (_, n) => `bulk${n}`);
      await change(bulk, '2026-01-01T00:00:00.000Z');
      await change(['older'], '2026-01-02T00:00:00.000Z');
      await change(['newer1', 'newer2'], '2026-01-03T00:00:00.000Z', 'w2');
      assert.deepEqual(await queue.waitingWorkspaces({ small: true }), ['w2', 'w1']);
      assert.deepEqual(ids(await queue.claim({ limit: 10, small: true, only: 'w1' })), ['older']);
      assert.deepEqual(ids(await queue.claim({ limit: 10, small: true })), ['newer1', 'newer2']);
      assert.deepEqual(
        await queue.claim({ limit: 10, small: true }),
        [],
        'a claimed row is not given out again',
      );
      await sql('things').where({ id: 'bulk7' }).update(queue.changed(sql));
      assert.deepEqual(
        ids(await queue.claim({ limit: 10, small: true })),
        ['bulk7'],
        'saved again while it waits',
      );
      assert.equal((await queue.claim({ limit: 1000 })).length, 303);
    });

    it('takes the rest of a change with a claim, where it would count as small', async () => {
      const names = (change: string, count: number) =>
        Array.from({ length: count }, (_, n) => `${change}${String(n).padStart(2, '0')}`);
      await add(names('a', 40));
      await add(['b00']);
      await sql('things').where({ id: 'b00' }).update({ pending_since: '2026-01-01T00:00:00.000Z' });
      assert.equal((await queue.claim({ limit: 23, rest: true })).length, 23, '17 are not a small change');
      await sql('things').update({ attempts: 0 });
      const limits = { limit: 24, maxBytes: 640, rest: true };
      assert.deepEqual(ids(await queue.claim(limits)), names('a', 40));
      await sql('things').update({ attempts: 0 });
      assert.equal((await queue.claim({ ...limits, maxBytes: 639 })).length, 24, 'they are too large');
      await sql('things').update({ attempts: 0 });
      assert.equal((await queue.claim({ limit: 24 })).length, 24, 'nobody asked for them');
      await sql('things').update({ attempts: 0 });
      assert.equal((await queue.claim({ limit: 40, rest: true })).length, 40, 'another change');
    });

    it('counts ten thousand waiting rows at most at a glance', async () => {
      const numbers =
        'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10050)';
      await sql.raw(
        `INSERT INTO things (id, workspace_id, kind, bytes) ${numbers} SELECT CAST(n AS TEXT), 'w1', 'a', 1 FROM numbers`,
      );
      assert.deepEqual(await queue.glance({ workspace_id: 'w1' }), { pending: 10_000, some: true });
      assert.equal((await queue.counts()).pending, 10_050);
    });

    it('is the same for every opening of its name', () => {
      assert.equal(queues.open({ name: 'things', table: 'things', where: { kind: 'a' } }), queue);
      assert.throws(
        () => queues.open({ name: 'things', table: 'notes' }),
        /is over the table things, not over notes/,
      );
    });

    const add = (ids: readonly string[], workspace_id = 'w1', kind = 'a', bytes = 10) =>
      sql('things').insert(ids.map((id) => ({ id, workspace_id, kind, bytes, ...queue.added() })));
    const ids = (rows: readonly Thing[]) => rows.map(({ id }) => id);
    const claim = async (limit = 100, maxBytes?: number) =>
      queue.claim({ limit, ...(maxBytes !== undefined && { maxBytes }) });
    const done = ({ id, revision }: Thing) => ({ id, revision, status: 'indexed' as const });
    const failed = ({ id, revision }: Thing, permanent = false) => ({
      id,
      revision,
      status: 'failed' as const,
      error: 'no',
      permanent,
    });
    const dueNow = () => sql('things').update({ next_attempt_at: '' });
    const attempts = (id: string, count: number) => sql('things').where({ id }).update({ attempts: count });

    it('claims waiting rows and settles them', async () => {
      await add(['1', '2', '3']);
      const claimed = await claim();
      assert.deepEqual(ids(claimed), ['1', '2', '3']);
      assert.deepEqual(
        claimed.map((row) => row.attempts),
        [1, 1, 1],
      );
      const { indexed } = await queue.settle(sql, claimed.slice(0, 2).map(done));
      assert.deepEqual(ids(indexed), ['1', '2']);
      assert.deepEqual(await queue.counts(), { pending: 1, indexed: 2, failed: 0 });
      assert.deepEqual(ids(await claim()), ['3'], 'a claim that was never settled comes again');
    });

    it('leaves a row pending that changed after it was claimed', async () => {
      await add(['1']);
      const [row] = (await claim()) as [Thing];
      await sql('things').where({ id: '1' }).update(queue.changed(sql));
      assert.deepEqual(await queue.settle(sql, [done(row)]), {
        indexed: [],
        removed: [],
        failed: [],
        retried: [],
      });
      const [again] = (await claim()) as [Thing];
      assert.equal(again.revision, row.revision + 1);
      assert.equal(again.attempts, 1, 'a change is a new start');
    });

    it('leaves a row pending that came back with its id after it was claimed', async () => {
      await add(['1']);
      const former = await claim();
      await sql('things').delete();
      await delay(2);
      await add(['1']);
      assert.deepEqual((await queue.settle(sql, former.map(done))).indexed, []);
      assert.deepEqual(ids(await claim()), ['1']);
    });

    it('keeps a removed row until its removal is settled, and never fails it for good', async () => {
      await add(['1']);
      await queue.settle(sql, (await claim()).map(done));
      assert.equal(await queue.remove(sql, { id: '1' }), 1);
      assert.equal(await queue.remove(sql, { id: '1' }), 0, 'once');
      const [gone] = (await claim()) as [Thing];
      assert.equal(gone.deleted, 1);
      assert.deepEqual(ids((await queue.settle(sql, [failed(gone, true)])).retried), ['1']);
      assert.deepEqual(await queue.counts(), { pending: 0, indexed: 0, failed: 0 });
      await dueNow();
      const [still] = (await claim()) as [Thing];
      assert.deepEqual(ids((await queue.settle(sql, [done(still)])).removed), ['1']);
      assert.equal((await sql('things')).length, 0);
    });

    it('retries a failure with growing back-off, and fails for good after five attempts or at once', async () => {
      await add(['1', '2']);
      const [first, second] = (await claim()) as [Thing, Thing];
      assert.deepEqual(ids((await queue.settle(sql, [failed(second, true)])).failed), ['2']);
      const waits: number[] = [];
      let row = first;
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const before = Date.now();
        const { retried, failed: final } = await queue.settle(sql, [failed(row)]);
        if (attempt === 5) assert.deepEqual(ids(final), ['1']);
        else {
          const [again] = retried as [Thing];
          waits.push(Math.round((Date.parse(again.next_attempt_at) - before) / 1000));
          assert.deepEqual(await claim(), [], 'not before its time');
          await dueNow();
          [row] = (await claim()) as [Thing];
        }
      }
      assert.deepEqual(waits, [5, 10, 20, 40]);
      assert.deepEqual(await queue.counts(), { pending: 0, indexed: 0, failed: 2 });
      assert.equal(await queue.requeue(sql), 2);
      assert.equal((await claim()).length, 2);
    });

    it('retries a failure that is not of the row after the time it names, as often as it takes', async () => {
      await add(['1']);
      for (let attempt = 1; attempt <= 8; attempt += 1) {
        const [row] = (await claim()) as [Thing];
        const before = Date.now();
        const { retried } = await queue.settle(sql, [{ ...failed(row), retryAfterMs: 60_000 }]);
        assert.deepEqual(ids(retried), ['1']);
        assert.ok(Date.parse((retried[0] as Thing).next_attempt_at) - before >= 59_000);
        assert.deepEqual(await claim(), [], 'not before its time');
        await dueNow();
      }
      assert.equal(((await claim()) as [Thing])[0].attempts, 2, 'it is not a suspect');
    });

    it('retries a failure of a time when the clock was ahead', async () => {
      await add(['1', '2']);
      const [first] = (await claim()) as [Thing];
      await queue.settle(sql, [failed(first)]);
      const tenDays = 10 * 24 * 60 * 60_000;
      await sql('things')
        .where({ id: '1' })
        .update({ next_attempt_at: new Date(Date.now() + tenDays).toISOString() });
      assert.deepEqual(ids(await claim()).sort(), ['1', '2']);
    });

    it('serves workspaces in turn', async () => {
      await add(
        Array.from({ length: 200 }, (_, n) => `a${n}`),
        'w1',
      );
      await add(['b'], 'w2');
      await add(['c'], 'w3');
      const claimed = await claim(9);
      assert.deepEqual(new Set(claimed.map((row) => row.workspace_id)), new Set(['w1', 'w2', 'w3']));
      assert.equal(claimed.length, 5, 'an equal share each');
      await queue.settle(sql, claimed.map(done));
      assert.equal((await claim(9)).length, 9, 'all of it for one alone');
    });

    it('goes round more workspaces than one claim serves', async () => {
      for (let n = 0; n < 40; n += 1) await add([`x${n}`, `y${n}`], `w${String(n).padStart(2, '0')}`);
      const seen = new Set<string>();
      for (let round = 0; round < 2; round += 1)
        for (const row of await claim(40)) seen.add(row.workspace_id);
      assert.equal(seen.size, 40);
    });

    it('keeps to a budget of bytes, but gives at least one row', async () => {
      await add(['1', '2', '3'], 'w1', 'a', 100);
      assert.deepEqual(ids(await claim(10, 250)), ['1', '2']);
      assert.equal((await claim(10, 1)).length, 1);
      const size = '3 * octet_length(id)';
      assert.deepEqual(ids(await queue.claim({ limit: 10, maxBytes: 7, size })), ['1', '2']);
    });

    it('isolates rows that were tried often without an outcome', async () => {
      await add(Array.from({ length: 20 }, (_, n) => `s${n}`));
      await sql('things').update({ attempts: 4 });
      await attempts('s0', 7);
      await add(['new']);
      const both = [await claim(), await claim()].map(ids);
      assert.deepEqual(
        both.find(([id]) => id === 'new'),
        ['new'],
        'apart from what was never suspected',
      );
      const added: Thing[] = await sql('things').where({ id: 'new' });
      await queue.settle(sql, added.map(done));
      await sql('things').whereNot({ id: 's0' }).update({ attempts: 4 });
      assert.equal((await claim()).length, 8, 'those tried four times come by eight');
      await sql('things').whereNot({ id: 's0' }).update({ indexing_status: 'failed' });
      assert.deepEqual(ids(await claim()), ['s0'], 'and those tried more often alone');
    });

    it('does not starve suspects while new work keeps coming', async () => {
      await add(['suspect']);
      await attempts('suspect', 3);
      for (let round = 0; round < 8; round += 1) {
        await add([`n${round}`]);
        const claimed = await claim(1);
        if (claimed[0]?.id === 'suspect') return;
        await queue.settle(sql, claimed.map(done));
      }
      assert.fail('the suspect never came');
    });

    it('is apart from another queue in the same table', async () => {
      await add(['1'], 'w1', 'a');
      await add(['1'], 'w1', 'b');
      const claimed = await claim();
      assert.equal(claimed.length, 1);
      await queue.settle(sql, claimed.map(done));
      assert.deepEqual(await other.counts(), { pending: 1, indexed: 0, failed: 0 });
    });

    it('says how much waits and since when the oldest change does', async () => {
      assert.deepEqual(await queue.waiting(), { rows: 0, since: undefined });
      await add(['1', '2']);
      for (const [id, day] of Object.entries({ 1: '01', 2: '02' }))
        await sql('things')
          .where({ id })
          .update({ pending_since: `2026-01-${day}T00:00:00.000Z` });
      assert.deepEqual(await queue.waiting(), { rows: 2, since: '2026-01-01T00:00:00.000Z' });
      await sql('things').where({ id: '1' }).update(queue.changed(sql));
      assert.deepEqual(await queue.waiting(), { rows: 2, since: '2026-01-02T00:00:00.000Z' });
    });
  });
});
