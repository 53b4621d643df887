import assert from 'node:assert/strict';
import type { ServiceError } from '@service-mcp/core';
import { callerWith, eachDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { hostOver, reader } from './happenings.js';

eachDatabase((fresh, engine) => {
  describe('the feed of change events', () => {
    const ann = callerWith();
    const bob = callerWith({ scopes: ['things:read'] });
    const members = () =>
      new Map([
        [ann.userId, new Set(['w1', 'w2'])],
        [bob.userId, new Set(['w2'])],
      ]);

    it('shows each reader what he may see, in one order', async () => {
      const { host, happen } = await hostOver(await fresh(), members());
      const [all, one, narrow] = [
        reader(host, ann),
        reader(host, bob),
        reader(host, ann, { workspaceId: 'w1', types: ['thing.lost'] }),
      ];
      for (const each of [all, one, narrow]) await each.until(1);
      await happen('w1', 1);
      await happen('w2', 2);
      await happen('w3', 3);
      await happen(null, 4);
      await happen('w2', 5, 'thing.lost');
      await happen('w1', 6, 'thing.lost');
      await all.until(6);
      await one.until(3);
      await narrow.until(2);
      assert.deepEqual(all.numbers(), [1, 2, 4, 5, 6]);
      assert.deepEqual(one.numbers(), [2, 4]);
      assert.deepEqual(narrow.numbers(), [6]);
      for (const each of [all, one, narrow]) await each.end();
      await host.stop();
    });

    it('replays what came after the last event that a reader has, from another process too', async () => {
      const database = await fresh();
      const here = await hostOver(database, members());
      const there = await hostOver(database, members());
      const first = reader(here.host, ann);
      await first.until(1);
      await there.happen('w1', 0);
      await first.until(2); // seen by looking, since nothing was announced here
      await first.end();
      const [, seen] = first.got;
      const after = seen?.kind === 'event' ? seen.event.id : '';
      for (let n = 1; n <= 1203; n += 1) {
        if (n % 100 !== 0) continue;
        await here.events.change(async (_sql, record) =>
          record(
            ...Array.from({ length: 100 }, (_, at) => ({
              type: 'thing.made',
              workspaceId: 'w1',
              data: { n: n - 99 + at },
            })),
          ),
        );
      }
      const again = reader(there.host, ann, { after });
      await again.until(1201);
      assert.deepEqual(again.got[0], { kind: 'opened', id: after });
      await here.happen('w1', 1201);
      await again.until(1202);
      assert.deepEqual(
        again.numbers(),
        Array.from({ length: 1201 }, (_, n) => n + 1),
      );
      await again.end();
      await here.host.stop();
      await there.host.stop();
    });

    it('tells nothing twice, and nothing older, to a reader that comes from a process that has seen more', async () => {
      const database = await fresh();
      const here = await hostOver(database, members());
      const there = await hostOver(database, members());
      const first = reader(here.host, ann);
      const behind = reader(there.host, ann); // it looks once a second, since nothing is announced there
      for (const each of [first, behind]) await each.until(1);
      for (const n of [1, 2]) await here.happen('w1', n);
      await first.until(3);
      const seen = first.got.at(-1);
      const again = reader(there.host, ann, { after: seen?.kind === 'event' ? seen.event.id : '' });
      await again.until(1);
      await behind.until(3);
      await here.happen('w1', 3);
      await again.until(2);
      assert.deepEqual(again.numbers(), [3]);
      for (const each of [first, behind, again]) await each.end();
      await here.host.stop();
      await there.host.stop();
    });

    it('goes on from the place that an opened stream told, though nothing was seen', async () => {
      const { host, happen } = await hostOver(await fresh(), members());
      const seen = reader(host, ann);
      await seen.until(1);
      await happen('w1', 1);
      await seen.until(2); // another transaction of the server may hold an event back
      const first = reader(host, ann);
      await first.until(1);
      await first.end();
      await seen.end();
      await happen('w1', 2);
      const [opened] = first.got;
      const again = reader(host, ann, { after: opened?.kind === 'opened' ? opened.id : '' });
      await again.until(2);
      assert.deepEqual(again.numbers(), [2]);
      await again.end();
      await host.stop();
    });

    it('tells a reader whose last event is kept no more to begin anew', async () => {
      const { host, happen } = await hostOver(await fresh(), members());
      for (const after of ['1.1', '99.99', 'nonsense', '9'.repeat(40), "1.1' OR 1=1 --", '-1.0']) {
        const lost = reader(host, ann, { after });
        await lost.until(1);
        assert.equal(lost.got[0]?.kind, 'reset', after);
        await lost.end();
      }
      const lost = reader(host, ann, { after: '1.1' });
      await lost.until(1);
      await happen('w1', 7);
      await lost.until(2);
      assert.deepEqual(lost.numbers(), [7]);
      await lost.end();
      await host.stop();
    });

    it('ends for a workspace that its reader may see no more, at once', async () => {
      const known = members();
      const { host, happen } = await hostOver(await fresh(), known);
      const one = reader(host, bob);
      await one.until(1);
      await happen('w2', 1);
      await one.until(2);
      known.set(bob.userId, new Set());
      await happen('w2', 2, 'member.removed');
      await happen('w2', 3);
      await happen(null, 4);
      await one.until(4);
      assert.deepEqual(one.numbers(), [1, 2, 4]);
      await one.end();
      await host.stop();
    });

    it('refuses an unknown type and an invisible workspace before anything is sent', async () => {
      const { host } = await hostOver(await fresh(), members());
      const code = (wanted: string) => (error: ServiceError) => error.code === wanted;
      await assert.rejects(reader(host, ann, { types: ['thing.maed'] }).ended, (error: ServiceError) => {
        assert.match(error.message, /thing\.lost, thing\.made, tools\.changed/);
        return error.code === 'INVALID_ARGUMENT';
      });
      await assert.rejects(reader(host, bob, { workspaceId: 'w1' }).ended, code('NOT_FOUND'));
      await host.stop();
    });

    it('misses nothing of many writers at once, whatever order they commit in', async () => {
      const { host, events } = await hostOver(await fresh(), members());
      const [one, two] = [reader(host, ann), reader(host, ann)];
      await one.until(1);
      await two.until(1);
      const writer = async (n: number) =>
        events.change(async (sql, record) => {
          // The transaction takes its number first and writes its event late.
          if (engine === 'postgresql')
            await sql.raw('SELECT pg_current_xact_id(), pg_sleep(?)', [((n * 7) % 10) / 100]);
          record({ type: 'thing.made', workspaceId: 'w1', data: { n } });
        });
      await Promise.all(Array.from({ length: 60 }, (_, n) => writer(n)));
      await one.until(61);
      await two.until(61);
      assert.deepEqual(new Set(one.numbers()), new Set(Array.from({ length: 60 }, (_, n) => n)));
      assert.equal(one.numbers().length, 60);
      assert.deepEqual(one.numbers(), two.numbers());
      const [, middle] = one.got.slice(29);
      const again = reader(host, ann, { after: middle?.kind === 'event' ? middle.event.id : '' });
      await again.until(31);
      assert.deepEqual(again.numbers(), one.numbers().slice(30));
      for (const each of [one, two, again]) await each.end();
      await host.stop();
    });

    it('drops a reader that falls too far behind, and goes on for the others', async () => {
      const { host, events } = await hostOver(await fresh(), members());
      const items = host.catalog.streamEvents({ types: [] }, host.call({ caller: ann }));
      const slow = items[Symbol.asyncIterator]();
      await slow.next();
      const quick = reader(host, ann);
      await quick.until(1);
      for (let batch = 0; batch < 45; batch += 1) {
        await events.change(async (_sql, record) =>
          record(
            ...Array.from({ length: 100 }, (_, n) => ({
              type: 'thing.made',
              workspaceId: 'w1',
              data: { n: batch * 100 + n },
            })),
          ),
        );
      }
      await quick.until(4501);
      await assert.rejects(slow.next(), (error: ServiceError) => error.code === 'UNAVAILABLE');
      await quick.end();
      await host.stop();
    });

    it('ends its readers when the service stops', async () => {
      const { host } = await hostOver(await fresh(), members());
      const one = reader(host, ann);
      await one.until(1);
      const ended = assert.rejects(one.ended, (error: ServiceError) => error.code === 'UNAVAILABLE');
      await host.stop();
      await ended;
    });

    it('says once that the tools have changed, where a start offers others', async () => {
      const database = await fresh();
      const first = await hostOver(database, members());
      await first.host.stop();
      const same = await hostOver(database, members());
      const types = (host: TestHost) => host.database.sql('change_events').pluck('type');
      assert.deepEqual(await types(same.host), []);
      await same.host.stop();
      const other = await testHost({
        database,
        config: { toolsets: { default: ['light'] } },
        workers: false,
      });
      assert.deepEqual(await types(other), ['tools.changed']);
      await other.stop();
    });
  });
});
