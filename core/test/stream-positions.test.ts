import assert from 'node:assert/strict';
import type { Caller, StreamedEvent } from '@service-mcp/core';
import { callerWith, eachDatabase, rejects } from '@service-mcp/core/testing';
import { startEventHost, readEvents } from './event-fixtures.js';

eachDatabase((fresh) => {
  describe('the ids of streamed events', () => {
    const ann = callerWith();
    const bob = callerWith({ scopes: ['things:read'] });
    const members = () =>
      new Map([
        [ann.userId, new Set(['w1', 'w2'])],
        [bob.userId, new Set(['w2'])],
      ]);

    it('tells a reader that comes back once of the workspaces that it lost, and nothing else of them', async () => {
      const known = members();
      known.set(bob.userId, new Set(['w2', 'w3']));
      const { host, recordEvent } = await startEventHost(await fresh(), known);
      const first = readEvents(host, bob);
      const narrow = readEvents(host, bob, { workspaceId: 'w2' });
      for (const each of [first, narrow]) await each.until(1);
      for (const each of [first, narrow]) await each.end();
      const idOf = (item: StreamedEvent | undefined) =>
        (item?.kind === 'event' ? item.event.id : item?.id) ?? '';
      await recordEvent('w2', 1);
      known.set(bob.userId, new Set(['w3']));
      await recordEvent('w2', 2, 'member.removed');
      await recordEvent('w2', 3);
      await recordEvent('w2', 4, 'member.removed');
      await recordEvent('w9', 5, 'member.removed');
      await recordEvent('w3', 6);
      const again = readEvents(host, bob, { after: idOf(first.got[0]) });
      await again.until(3);
      assert.deepEqual(again.numbers(), [2, 6]);
      await again.end();
      const narrowAgain = readEvents(host, bob, { workspaceId: 'w2', after: idOf(narrow.got[0]) });
      await narrowAgain.until(2);
      const other = readEvents(host, bob, { workspaceId: 'w3', after: idOf(first.got[0]) });
      await other.until(2);
      assert.deepEqual([narrowAgain.numbers(), other.numbers()], [[2], [6]]);
      for (const each of [narrowAgain, other]) await each.end();
      const late = { workspaceId: 'w2', after: idOf(narrowAgain.got[1]) };
      await rejects(readEvents(host, bob, late).ended, 'NOT_FOUND');
      const later = readEvents(host, bob, { after: idOf(again.got[1]) });
      await later.until(2);
      assert.deepEqual(later.numbers(), [6]);
      await later.end();
      await host.stop();
    });

    it('gives out ids that only their reader can use, and that tell nothing of other tenants', async () => {
      const { host, events, recordEvent } = await startEventHost(await fresh(), members());
      const ids = async (caller: Caller) => {
        const one = readEvents(host, caller);
        await one.until(1);
        await recordEvent('w1', 1);
        await recordEvent('w2', 1);
        await one.until(2);
        await one.end();
        return one.got.map((item) => (item.kind === 'event' ? item.event.id : item.id));
      };
      const before = await ids(bob);
      const all = Array.from({ length: 100 }, () => ({ type: 'thing.made', workspaceId: 'w1', data: {} }));
      await events.change(async (_sql, record) => record(...all));
      const after = await ids(bob);
      assert.equal(new Set([...before, ...after].map((id) => id.length)).size, 1);
      const kindFor = async (caller: Caller, id: string) => {
        const one = readEvents(host, caller, { after: id });
        await one.until(1);
        await one.end();
        return one.got[0]?.kind;
      };
      const [id = ''] = after;
      const row: { tx: number; id: number } = await host.database
        .sql('change_events')
        .orderBy('id', 'desc')
        .first();
      assert.equal(await kindFor(bob, id), 'opened');
      assert.equal(await kindFor({ ...bob, kind: 'jwt' }, id), 'opened');
      assert.equal(await kindFor(ann, id), 'reset');
      assert.equal(await kindFor({ ...bob, workspaceId: 'w2' }, id), 'reset');
      assert.equal(await kindFor(bob, `${id.slice(0, -2)}AA`), 'reset');
      assert.equal(await kindFor(bob, `${row.tx}.${row.id}`), 'reset');
      assert.equal(await kindFor(bob, ''), 'reset');
      await host.stop();
    });
  });
});
