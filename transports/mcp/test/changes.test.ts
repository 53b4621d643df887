import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { mcpTransport } from '@service-mcp/transport-mcp';
import { rpc, send, start, type Running } from './fixture.js';
import { asking, changer, notes, reading, revocable } from './plugins/notes.js';
import { bearer, Events, modernHeaders, modernMeta, open, openSession, untilGauge } from './streams.js';

const HEARTBEAT_MS = 50;
/** Long enough that a few unread events fill every buffer on the way. */
const LONG = 'x'.repeat(4000);

describe('mcp: change streams', () => {
  const people = new Set<string>();
  let running: Running;
  beforeEach(async () => {
    for (const name of ['ann', 'bob']) people.add(name);
    const transports = [mcpTransport({ heartbeatMs: HEARTBEAT_MS })];
    running = await start({ plugins: [notes, revocable(people)], transports });
  });
  afterEach(() => {
    asking.away = 0;
    return running.host.stop();
  });

  /** The two ways to subscribe to the notes of these names. */
  const ways = {
    async 'by GET inside a session'(who: string, uris: readonly string[]) {
      const headers = await openSession(running.url, {}, bearer(who));
      for (const uri of uris) {
        const { body } = await send(running.url, rpc('resources/subscribe', { uri }), headers);
        assert.deepEqual(body.result, {});
      }
      const accept = { accept: 'text/event-stream' };
      return new Events(await fetch(running.url, { headers: { ...headers, ...accept } }));
    },
    async 'by subscriptions/listen'(who: string, uris: readonly string[]) {
      const events = new Events(await listen(who, uris));
      assert.equal((await events.next())?.method, 'notifications/subscriptions/acknowledged');
      return events;
    },
  };

  function listen(who: string, uris: readonly string[]): Promise<Response> {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: uris,
    };
    const body = rpc('subscriptions/listen', { _meta: modernMeta(), notifications }, 'sub');
    return open(running.url, body, { ...bearer(who), ...modernHeaders('subscriptions/listen') });
  }

  for (const [way, follow] of Object.entries(ways)) {
    describe(way, () => {
      it('send changes of subscribed resources only', async () => {
        const ann = await follow('ann', ['notes://ann/x', 'notes://all/y']);
        for (const note of ['ann/other', 'ann/x', 'bob/x', 'all/y']) await changer.note(note);
        const seen = [await ann.next(), await ann.next()];
        assert.deepEqual(
          seen.map((message) => [message?.method, message?.params?.['uri']]),
          [
            ['notifications/resources/updated', 'notes://ann/x'],
            ['notifications/resources/updated', 'notes://all/y'],
          ],
        );
      });

      it('send list changes', async () => {
        const ann = await follow('ann', []);
        await changer.lists();
        const seen = [await ann.next(), await ann.next(), await ann.next()];
        assert.deepEqual(
          seen.map((message) => String(message?.method)).toSorted((a, b) => a.localeCompare(b)),
          ['prompts', 'resources', 'tools'].map((list) => `notifications/${list}/list_changed`),
        );
      });

      it('end when the credential is revoked; those of others continue', async () => {
        const [ann, bob] = [await follow('ann', ['notes://ann/x']), await follow('bob', ['notes://bob/x'])];
        people.delete('ann');
        await ann.ended();
        await changer.note('bob/x');
        assert.equal((await bob.next())?.params?.['uri'], 'notes://bob/x');
      });

      it('outlive a moment in which the credential cannot be checked', async () => {
        const ann = await follow('ann', ['notes://ann/x']);
        asking.away = 3;
        while (asking.away > 0) await sleep(5);
        await changer.note('ann/x');
        assert.equal((await ann.next())?.params?.['uri'], 'notes://ann/x');
        await ann.close();
      });

      it('end when the credential cannot be checked for long', async () => {
        const ann = await follow('ann', ['notes://ann/x']);
        asking.away = Infinity;
        await ann.ended();
      });

      it('end when the service stops', async () => {
        const ann = await follow('ann', ['notes://ann/x']);
        const stopped = running.host.stop();
        await ann.ended();
        await stopped;
      });

      it('disconnect a client that does not read', async () => {
        const uri = `notes://ann/${LONG}`;
        const ann = await follow('ann', [uri]);
        await changer.note(`ann/${LONG}`, 4000);
        await ann.ended(); // otherwise the test times out
      });
    });
  }

  it('are counted until they end', async () => {
    const shown = (count: number) =>
      untilGauge(String(running.host.url), 'service_mcp_change_streams', count);
    const streams = [
      await ways['by GET inside a session']('ann', []),
      await ways['by subscriptions/listen']('ann', []),
    ];
    await shown(2);
    for (const [index, stream] of streams.entries()) {
      await stream.close();
      await shown(1 - index);
    }
  });

  it('leave nothing behind when the client disconnects before they open', async () => {
    people.add('slow');
    const headers = await openSession(running.url, {}, bearer('slow'));
    const accept = { accept: 'text/event-stream' };
    const leaving = Array.from({ length: 20 }, (_, ms) =>
      fetch(running.url, { headers: { ...headers, ...accept }, signal: AbortSignal.timeout(ms) }),
    );
    for (const { status } of await Promise.allSettled(leaving)) assert.equal(status, 'rejected');
    const stream = new Events(await fetch(running.url, { headers: { ...headers, ...accept } }));
    await untilGauge(String(running.host.url), 'service_mcp_change_streams', 1);
    await changer.lists();
    assert.match((await stream.next())?.method ?? '', /list_changed$/);
    await stream.close();
    await untilGauge(String(running.host.url), 'service_mcp_change_streams', 0);
  });

  it('end with their session', async () => {
    const headers = await openSession(running.url, {}, bearer('ann'));
    const accept = { accept: 'text/event-stream' };
    const events = new Events(await fetch(running.url, { headers: { ...headers, ...accept } }));
    assert.equal((await fetch(running.url, { method: 'DELETE', headers })).status, 204);
    await events.ended();
  });

  it('are four per session: the fifth ends the first, and the newest gets the events', async () => {
    const headers = { ...(await openSession(running.url, {}, bearer('ann'))), accept: 'text/event-stream' };
    const streams: Events[] = [];
    for (let i = 0; i < 5; i++) streams.push(new Events(await fetch(running.url, { headers })));
    await streams[0]?.ended();
    await changer.lists();
    assert.match((await streams[4]?.next())?.method ?? '', /list_changed$/);
    await streams[4]?.close();
  });

  it('follow later subscriptions and unsubscriptions of their session', async () => {
    const headers = await openSession(running.url, {}, bearer('ann'));
    const stream = await fetch(running.url, { headers: { ...headers, accept: 'text/event-stream' } });
    const events = new Events(stream);
    const change = (verb: string, uri: string) =>
      send(running.url, rpc(`resources/${verb}`, { uri }), headers);
    await change('subscribe', 'notes://ann/a');
    await change('subscribe', 'notes://ann/b');
    await change('unsubscribe', 'notes://ann/a');
    for (const note of ['ann/a', 'ann/b']) await changer.note(note);
    assert.equal((await events.next())?.params?.['uri'], 'notes://ann/b');
    await events.close();
  });

  it('retry subscriptions that failed when the stream opened', async () => {
    const headers = await openSession(running.url, {}, bearer('ann'));
    await send(running.url, rpc('resources/subscribe', { uri: 'notes://ann/a' }), headers);
    reading.away = true;
    const times = reading.times;
    const untilRead = async (after: number) => {
      while (reading.times === after) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    try {
      const stream = await fetch(running.url, { headers: { ...headers, accept: 'text/event-stream' } });
      await untilRead(times);
      reading.away = false;
      await untilRead(reading.times);
      const had = reading.times;
      await new Promise((resolve) => setTimeout(resolve, 4 * HEARTBEAT_MS));
      assert.equal(reading.times, had, 'and then no more');
      await new Events(stream).close();
    } finally {
      reading.away = false;
    }
  });

  it('read what is subscribed to, not all again, and answer with a failure of it', async () => {
    const headers = await openSession(running.url, {}, bearer('ann'));
    const accept = { accept: 'text/event-stream' };
    const events = new Events(await fetch(running.url, { headers: { ...headers, ...accept } }));
    const change = async (verb: string, name: string) => {
      const uri = `notes://ann/${name}`;
      return (await send(running.url, rpc(`resources/${verb}`, { uri }), headers)).body;
    };
    const times = reading.times;
    for (const name of ['a', 'b', 'c', 'd']) await change('subscribe', name);
    await change('unsubscribe', 'a');
    assert.equal(reading.times - times, 8, 'each for its answer, and for the stream');
    reading.left = 1;
    try {
      assert.equal((await change('subscribe', 'e')).error?.data['code'], 'UNAVAILABLE');
    } finally {
      reading.left = Infinity;
    }
    assert.deepEqual((await change('subscribe', 'e')).result, {});
    for (const name of ['a', 'e', 'd']) await changer.note(`ann/${name}`);
    for (const name of ['e', 'd'])
      assert.equal((await events.next())?.params?.['uri'], `notes://ann/${name}`);
    await events.close();
  });

  it('open only for a session of the caller', async () => {
    const accept = { accept: 'text/event-stream' };
    const ann = await openSession(running.url, {}, bearer('ann'));
    const status = async (headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(running.url, { method, headers });
      await response.text();
      return response.status;
    };
    assert.equal(await status({ ...ann, ...accept, ...bearer('bob') }), 404);
    assert.equal(await status({ ...ann, ...accept, 'mcp-session-id': 'none' }), 404);
    assert.equal(await status({ ...accept, 'mcp-session-id': ann['mcp-session-id'] ?? '' }), 401);
    assert.equal(await status({ ...bearer('ann'), ...accept }), 405);
    assert.equal(await status({ ...ann, accept: 'application/json' }), 405);
    assert.equal(await status({ ...ann, ...accept }, 'HEAD'), 405);
    assert.equal(await status({ ...ann, ...accept, 'mcp-protocol-version': '1999-01-01' }), 400);
  });

  it('refuse resources that the caller may not read', async () => {
    const ann = await openSession(running.url, {}, bearer('ann'));
    for (const uri of ['notes://bob/x', 'none://at/all', 'x']) {
      const { body } = await send(running.url, rpc('resources/subscribe', { uri }), ann);
      assert.equal(body.error?.code, -32602);
      assert.deepEqual(body.error?.data, { code: 'NOT_FOUND', uri });
      const refused = await listen('ann', ['notes://ann/x', uri]);
      const { error } = (await refused.json()) as { error: { code: number; data: object } };
      assert.equal(error.code, -32602);
      assert.deepEqual(error.data, { code: 'NOT_FOUND', uri });
    }
  });

  it('have at most a hundred resources', async () => {
    const uris = Array.from({ length: 101 }, (_, index) => `notes://ann/${index}`);
    const ann = await openSession(running.url, {}, bearer('ann'));
    const answers = [];
    for (const uri of [...uris.slice(0, 100), ...uris.slice(0, 1), ...uris.slice(100)])
      answers.push((await send(running.url, rpc('resources/subscribe', { uri }), ann)).body);
    assert.ok(answers.slice(0, 101).every(({ result }) => result !== undefined));
    assert.equal(answers[101]?.error?.code, -32602);
    const long = rpc('resources/subscribe', { uri: `notes://ann/${'x'.repeat(5000)}` });
    const other = await openSession(running.url, {}, bearer('ann'));
    assert.match((await send(running.url, long, other)).body.error?.message ?? '', /at most 4096 characters/);
    assert.equal((await listen('ann', uris)).status, 400);
  });

  it('need a session for log level and subscriptions', async () => {
    for (const [method, params] of [
      ['resources/subscribe', { uri: 'notes://ann/x' }],
      ['resources/unsubscribe', { uri: 'notes://ann/x' }],
      ['logging/setLevel', { level: 'info' }],
    ] as const) {
      const { body } = await send(running.url, rpc(method, params), bearer('ann'));
      assert.equal(body.error?.code, -32600);
    }
  });
});
