import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { Events, ServiceError, definePlugin, defineResource, type ResourceListener } from '@service-mcp/core';
import {
  callerWith,
  eachDatabase,
  membershipsIn,
  probe,
  rejects,
  testHost,
  type TestHost,
} from '@service-mcp/core/testing';

const URI = 'things://one';

const thing = defineResource({
  uriTemplate: URI,
  name: 'one',
  title: 'One',
  description: 'A thing.',
  mimeType: 'text/plain',
  access: { scope: 'things:read', in: 'visible' },
  uses: {},
  changedBy: { 'thing.made': () => ({}), 'thing.lost': () => ({}) },
  read: async () => [{ uri: URI, text: 'one' }],
});

const file = defineResource({
  uriTemplate: 'things://files/{+path}',
  name: 'file',
  title: 'A file',
  description: 'A file of things.',
  mimeType: 'text/plain',
  access: { scope: 'things:read', in: 'visible' },
  uses: {},
  changedBy: { 'thing.made': () => ({ path: 'a b/@c+d.ts' }), 'things.gone': () => ({}) },
  read: async ({ path }) => [{ uri: `things://files/${path}`, text: path }],
});

eachDatabase((fresh) => {
  describe('subscriptions to resources', () => {
    const ann = callerWith({ scopes: ['things:read'] });
    const bob = callerWith();
    const members = new Map([ann, bob].map(({ userId }) => [userId, new Set(['w1'])]));
    const { plugin, services } = probe({ events: Events });
    const event = { description: 'For the test.', scope: 'things:read', data: Type.Object({}) };
    let host: TestHost;
    before(async () => {
      const things = definePlugin({
        id: 'things',
        description: 'Things with events.',
        api: '^1',
        resources: [thing, file],
        events: [
          { ...event, type: 'thing.made' },
          { ...event, type: 'thing.lost', scope: 'losses:read' },
          { ...event, type: 'things.gone' },
          { ...event, type: 'member.removed', changesAccess: true },
        ],
        services: [membershipsIn(members), ...plugin.services],
      });
      host = await testHost({ database: await fresh(), plugins: [things], workers: false });
    });
    after(() => host.stop());

    const recordEvent = (workspaceId: string, type = 'thing.made') =>
      services().events.change(async (_sql, record) => record({ type, workspaceId, data: {} }));

    function listener() {
      let told = 0;
      let wake: (error?: ServiceError) => void = () => undefined;
      const heard: ResourceListener = {
        changed: () => {
          told += 1;
          wake();
        },
        failed: (error) => wake(error),
      };
      const next = () => new Promise<ServiceError | undefined>((resolve) => (wake = resolve));
      return { ...heard, next, told: () => told };
    }

    it('tell of the events that the caller may see then, and outlast the signal of the call', async () => {
      const [calling, heard, marker] = [new AbortController(), listener(), listener()];
      const stop = await host.catalog.subscribe(
        [URI],
        host.call({ caller: ann, signal: calling.signal }),
        heard,
      );
      const stopMarker = await host.catalog.subscribe([URI], host.call({ caller: bob }), marker);
      calling.abort();
      /** Records this event, and one that Bob hears of. */
      const record = async (workspaceId: string, type?: string) => {
        await recordEvent(workspaceId, type);
        const next = marker.next();
        await recordEvent('w1');
        await next;
        await nextTurn();
      };
      await record('w2');
      assert.equal(heard.told(), 1);
      await record('w1', 'thing.lost');
      assert.equal(heard.told(), 2, 'not of what is out of her scope');
      members.set(ann.userId, new Set());
      await record('w1', 'member.removed');
      assert.equal(heard.told(), 2);
      members.set(ann.userId, new Set(['w1']));
      await record('w1', 'member.removed');
      assert.equal(heard.told(), 3);
      stop();
      stopMarker();
    });

    it('tell of an address as it was given, whatever the client escaped in it', async () => {
      const uris = ['a%20b/@c+d.ts', 'a%20b/%40c%2Bd.ts', 'a%20b/%40c+d.ts'].map(
        (path) => `things://files/${path}`,
      );
      const told: string[] = [];
      const failed = (): void => undefined;
      const stop = await new Promise<() => void>((resolve, reject) => {
        const changed = (uri: string): void => {
          if (told.push(uri) === uris.length) resolve(stopping);
        };
        let stopping: () => void;
        const call = host.call({ caller: ann });
        host.catalog
          .subscribe([...uris, 'things://files/other'], call, { changed, failed })
          .then((stopIt) => (stopping = stopIt))
          .then(() => recordEvent('w1'))
          .catch(reject);
      });
      stop();
      assert.deepEqual(told, uris);
    });

    it('tell of each address that a change which names no more than a part of it is of', async () => {
      const uris = ['things://files/a.ts', 'things://files/b/c.ts'];
      const told: string[] = [];
      let wake: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (wake = resolve));
      const changed = (uri: string): void => {
        if (told.push(uri) === uris.length) wake();
      };
      const call = host.call({ caller: ann });
      const stop = await host.catalog.subscribe([URI, ...uris], call, { changed, failed: wake });
      await recordEvent('w1', 'things.gone');
      await both;
      stop();
      assert.deepEqual(told, uris);
    });

    it('leave nothing at the signal of a long call', async () => {
      const { signal } = new AbortController();
      for (let round = 0; round < 30; round += 1) {
        const stop = await host.catalog.subscribe([URI], host.call({ caller: ann, signal }), listener());
        assert.equal(getEventListeners(signal, 'abort').length, 0);
        stop();
      }
    });

    it('leave no reader behind of a call that ended while one was opened', async () => {
      const stop = await host.catalog.subscribe([URI], host.call({ caller: ann }), listener());
      const leaving = new AbortController();
      const carol = callerWith();
      // Once to read the resource, and once to open the subscription.
      let looks = 0;
      const workspaces = new Set(['w1']);
      const look = members.get.bind(members);
      members.get = (id) => {
        if (id !== carol.userId) return look(id);
        if ((looks += 1) === 2) leaving.abort(new ServiceError('DEADLINE_EXCEEDED', 'Gone.'));
        return workspaces;
      };
      const call = host.call({ caller: carol, signal: leaving.signal });
      await rejects(host.catalog.subscribe([URI], call, listener()), 'DEADLINE_EXCEEDED');
      members.get = look;
      stop();
      await sleep(50);
      const seen: string[] = [];
      host.database.sql.on('query', ({ sql }: { sql: string }) => void seen.push(sql));
      await recordEvent('w1');
      await sleep(100); // a reader would look for it after 20 ms
      assert.deepEqual(
        seen.filter((sql) => /^select.*from .change_events/i.test(sql)),
        [],
      );
    });

    it('are refused to a call that has ended, and to who may not read', async () => {
      const ended = new ServiceError('DEADLINE_EXCEEDED', 'Too late.');
      const late = host.call({ caller: ann, signal: AbortSignal.abort(ended) });
      await rejects(host.catalog.subscribe([URI], late, listener()), 'DEADLINE_EXCEEDED');
      const stranger = host.call({ caller: callerWith({ scopes: [] }) });
      await rejects(host.catalog.subscribe([URI], stranger, listener()), 'PERMISSION_DENIED');
    });

    it('say so when they end by themselves', async () => {
      const heard = listener();
      await host.catalog.subscribe([URI], host.call({ caller: ann }), heard);
      const failed = heard.next();
      await host.stop();
      assert.equal((await failed)?.code, 'UNAVAILABLE');
    });
  });
});
