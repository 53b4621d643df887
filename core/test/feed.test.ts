import assert from 'node:assert/strict';
import { callerWith, eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { startEventHost, readEvents } from './event-fixtures.js';

eachDatabase((fresh, engine) => {
  describe('the feed of change events', () => {
    const ann = callerWith();
    const bob = callerWith({ scopes: ['things:read'] });
    const members = () =>
      new Map([
        [ann.userId, new Set(['w1', 'w2'])],
        [bob.userId, new Set(['w2'])],
      ]);

    it('shows each reader the events that they may see, in one order', async () => {
      const { host, recordEvent } = await startEventHost(await fresh(), members());
      const [all, one, narrow] = [
        readEvents(host, ann),
        readEvents(host, bob),
        readEvents(host, ann, { workspaceId: 'w1', types: ['thing.lost'] }),
      ];
      for (const each of [all, one, narrow]) await each.until(1);
      await recordEvent('w1', 1);
      await recordEvent('w2', 2);
      await recordEvent('w3', 3);
      await recordEvent(null, 4);
      await recordEvent('w2', 5, 'thing.lost');
      await recordEvent('w1', 6, 'thing.lost');
      await all.until(6);
      await one.until(3);
      await narrow.until(2);
      assert.deepEqual(all.numbers(), [1, 2, 4, 5, 6]);
      assert.deepEqual(one.numbers(), [2, 4]);
      assert.deepEqual(narrow.numbers(), [6]);
      for (const each of [all, one, narrow]) await each.end();
      await host.stop();
    });

    it('replays the events after the last one that a reader has, from another process too', async () => {
      const database = await fresh();
      const here = await startEventHost(database, members());
      const there = await startEventHost(database, members());
      const first = readEvents(here.host, ann);
      await first.until(1);
      await there.recordEvent('w1', 0);
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
      const again = readEvents(there.host, ann, { after });
      await again.until(1201);
      assert.equal(again.got[0]?.kind, 'opened');
      await here.recordEvent('w1', 1201);
      await again.until(1202);
      assert.deepEqual(
        again.numbers(),
        Array.from({ length: 1201 }, (_, n) => n + 1),
      );
      await again.end();
      await here.host.stop();
      await there.host.stop();
    });

    it('sends no event twice or late to a reader that comes from a process further ahead', async () => {
      const database = await fresh();
      const here = await startEventHost(database, members());
      const there = await startEventHost(database, members());
      const first = readEvents(here.host, ann);
      const behind = readEvents(there.host, ann); // it looks once a second, since nothing is announced there
      for (const each of [first, behind]) await each.until(1);
      for (const n of [1, 2]) await here.recordEvent('w1', n);
      await first.until(3);
      const seen = first.got.at(-1);
      const again = readEvents(there.host, ann, { after: seen?.kind === 'event' ? seen.event.id : '' });
      await again.until(1);
      await behind.until(3);
      await here.recordEvent('w1', 3);
      await again.until(2);
      assert.deepEqual(again.numbers(), [3]);
      for (const each of [first, behind, again]) await each.end();
      await here.host.stop();
      await there.host.stop();
    });

    it('resumes from the position in `opened`, even if the reader got no event', async () => {
      const { host, recordEvent } = await startEventHost(await fresh(), members());
      const seen = readEvents(host, ann);
      await seen.until(1);
      await recordEvent('w1', 1);
      await seen.until(2); // another transaction of the server may hold an event back
      const first = readEvents(host, ann);
      await first.until(1);
      await first.end();
      await seen.end();
      await recordEvent('w1', 2);
      const [opened] = first.got;
      const again = readEvents(host, ann, { after: opened?.kind === 'opened' ? opened.id : '' });
      await again.until(2);
      assert.deepEqual(again.numbers(), [2]);
      await again.end();
      await host.stop();
    });

    it('resumes from a position that was opened before the first event of all', async () => {
      const { host, recordEvent } = await startEventHost(await fresh(), members());
      const early = readEvents(host, ann);
      await early.until(1);
      await early.end();
      const [opened] = early.got;
      await recordEvent('w1', 1);
      const again = readEvents(host, ann, { after: opened?.kind === 'opened' ? opened.id : '' });
      await again.until(2);
      assert.deepEqual(
        again.got.map(({ kind }) => kind),
        ['opened', 'event'],
      );
      await again.end();
      await host.stop();
    });

    it('sends a reset to a reader whose last event has expired', async () => {
      const { host, recordEvent } = await startEventHost(await fresh(), members());
      for (const after of ['1.1', '99.99', 'nonsense', '9'.repeat(40), "1.1' OR 1=1 --", '-1.0']) {
        const lost = readEvents(host, ann, { after });
        await lost.until(1);
        assert.equal(lost.got[0]?.kind, 'reset', after);
        await lost.end();
      }
      const lost = readEvents(host, ann, { after: '1.1' });
      await lost.until(1);
      await recordEvent('w1', 7);
      await lost.until(2);
      assert.deepEqual(lost.numbers(), [7]);
      await lost.end();
      await host.stop();
    });

    it('ends at once for a workspace that its reader may no longer see', async () => {
      const known = members();
      const { host, recordEvent } = await startEventHost(await fresh(), known);
      const one = readEvents(host, bob);
      await one.until(1);
      await recordEvent('w2', 1);
      await one.until(2);
      known.set(bob.userId, new Set());
      await recordEvent('w2', 2, 'member.removed');
      await recordEvent('w2', 3);
      await recordEvent(null, 4);
      await one.until(4);
      assert.deepEqual(one.numbers(), [1, 2, 4]);
      await one.end();
      await host.stop();
    });

    it('refuses an unknown type and an invisible workspace before anything is sent', async () => {
      const { host } = await startEventHost(await fresh(), members());
      const known = /thing\.lost, thing\.made, tools\.changed/;
      await rejects(readEvents(host, ann, { types: ['thing.maed'] }).ended, 'INVALID_ARGUMENT', known);
      await rejects(readEvents(host, bob, { workspaceId: 'w1' }).ended, 'NOT_FOUND');
      await host.stop();
    });

    it('misses nothing of many writers at once, whatever order they commit in', async () => {
      const { host, events } = await startEventHost(await fresh(), members());
      const [one, two] = [readEvents(host, ann), readEvents(host, ann)];
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
      const again = readEvents(host, ann, { after: middle?.kind === 'event' ? middle.event.id : '' });
      await again.until(31);
      assert.deepEqual(again.numbers(), one.numbers().slice(30));
      for (const each of [one, two, again]) await each.end();
      await host.stop();
    });

    it('drops a reader that falls too far behind, and goes on for the others', async () => {
      const { host, events } = await startEventHost(await fresh(), members());
      const items = host.catalog.streamEvents({ types: [] }, host.call({ caller: ann }));
      const slow = items[Symbol.asyncIterator]();
      await slow.next();
      const quick = readEvents(host, ann);
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
      await rejects(slow.next(), 'UNAVAILABLE');
      await quick.end();
      await host.stop();
    });

    it('ends its readers when the service stops', async () => {
      const { host } = await startEventHost(await fresh(), members());
      const one = readEvents(host, ann);
      await one.until(1);
      const ended = rejects(one.ended, 'UNAVAILABLE');
      await host.stop();
      await ended;
    });

    it('ends readers that wait for a database which has not answered yet, when the service stops', async () => {
      const { host } = await startEventHost(await fresh(), members());
      await host.database.sql.schema.renameTable('change_events', 'lost_events');
      const one = readEvents(host, ann);
      const ended = rejects(one.ended, 'UNAVAILABLE', /is stopping/);
      await new Promise((resolve) => setTimeout(resolve, 50)); // it waits by then; earlier, it is refused at once
      await host.stop();
      await ended;
    });

    it('reports once that the tools have changed, when a start offers others', async () => {
      const database = await fresh();
      const first = await startEventHost(database, members(), true);
      await first.host.stop();
      const same = await startEventHost(database, members(), true);
      const types = (host: TestHost) => host.database.sql('change_events').pluck('type');
      assert.deepEqual(await types(same.host), []);
      const toolsets = { default: ['light'] };
      for (const isService of [true, false]) {
        const command = await testHost({
          database,
          config: { toolsets },
          workers: false,
          isService,
          listen: false,
        });
        await command.stop();
      }
      assert.deepEqual(await types(same.host), [], 'a command offers nothing to clients');
      await same.host.stop();
      const other = await testHost({
        database,
        config: { toolsets },
        workers: false,
        listen: true,
      });
      assert.deepEqual(await types(other), ['tools.changed']);
      await other.stop();
    });
  });
});
