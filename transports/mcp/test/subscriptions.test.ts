import assert from 'node:assert/strict';
import { ServiceError, type ResourceListener, type Transport } from '@service-mcp/core';
import { mcpTransport } from '@service-mcp/transport-mcp';
import { rpc, send, start, type Running } from './fixture.js';
import { changer, notes, revocable } from './plugins/notes.js';
import { connect } from './stdio-client.js';
import { bearer, Events, modernHeaders, modernMeta, open, openSession } from './streams.js';

const URI = 'notes://all/x';
const tooSlow = () => new ServiceError('UNAVAILABLE', 'Events come faster than you read them.');

describe('mcp: subscriptions', () => {
  /** Those of the catalog that are not stopped. */
  const listening = new Set<ResourceListener>();
  const failAll = () => {
    for (const listener of listening) listener.failed(tooSlow());
  };
  const counted = <T extends Running['host']['catalog']>(catalog: T): T => ({
    ...catalog,
    async subscribe(uris, call, listener) {
      const own = { ...listener };
      const stop = await catalog.subscribe(uris, call, own);
      listening.add(own);
      return () => {
        listening.delete(own);
        stop();
      };
    },
  });
  const transport: Transport = {
    ...mcpTransport(),
    mount: (parts) => mcpTransport().mount({ ...parts, catalog: counted(parts.catalog) }),
  };
  let running: Running;
  before(async () => {
    running = await start({ plugins: [notes], transports: [transport] });
  });
  after(() => running.host.stop());

  const until = async (count: number) => {
    while (listening.size !== count) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  async function inSession() {
    const headers = await openSession(running.url, {});
    const change = (verb: string, uri: string) =>
      send(running.url, rpc(`resources/${verb}`, { uri }), headers);
    await change('subscribe', URI);
    const accept = { accept: 'text/event-stream' };
    const openStream = async () =>
      new Events(await fetch(running.url, { headers: { ...headers, ...accept } }));
    return { change, openStream };
  }

  async function listen(url = running.url, credential: Record<string, string> = {}) {
    const params = { _meta: modernMeta(), notifications: { resourceSubscriptions: [URI] } };
    const headers = { ...modernHeaders('subscriptions/listen'), ...credential };
    const events = new Events(await open(url, rpc('subscriptions/listen', params, 'sub'), headers));
    await events.next();
    return events;
  }

  it('end the stream of a reader who is too slow, in a session', async () => {
    const { openStream } = await inSession();
    const stream = await openStream();
    await changer.note('all/x');
    assert.equal((await stream.next())?.params?.['uri'], URI);
    failAll();
    await stream.ended();
    await until(0);
    await (await openStream()).close();
    await until(0);
  });

  it('end the stream of a reader who is too slow, by subscriptions/listen', async () => {
    const stream = await listen();
    await changer.note('all/x');
    const { params } = (await stream.next()) ?? {};
    assert.deepEqual(params, { uri: URI, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } });
    failAll();
    await stream.ended();
    await until(0);
  });

  it('end a connection over stdio of a reader who is too slow', async () => {
    const host = { ...running.host, catalog: counted(running.host.catalog) };
    const { write, next, connection } = connect({ ...running, host });
    const listening = { _meta: modernMeta(), notifications: { resourceSubscriptions: [URI] } };
    for (const id of ['a', 'b']) {
      write(rpc('subscriptions/listen', listening, id));
      assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
    }
    for (let round = 0; round < 2; round += 1) {
      await changer.note('all/x');
      const told = [await next(), await next()].map(({ params }) => Object.values(Object(params?.['_meta'])));
      assert.deepEqual(told, [['a'], ['b']], 'each once');
    }
    failAll();
    await connection.closed;
    await until(0);
  });

  it('leave nothing behind, however often they are made', async () => {
    const { change, openStream } = await inSession();
    const stream = await openStream();
    for (let round = 0; round < 20; round += 1) {
      await change('subscribe', 'notes://all/y');
      await change('unsubscribe', 'notes://all/y');
      assert.equal(listening.size, 1);
    }
    await changer.note('all/y');
    await changer.note('all/x');
    assert.equal((await stream.next())?.params?.['uri'], URI);
    for (let round = 0; round < 10; round += 1) await (await listen()).close();
    await stream.close();
    await until(0);
  });

  it('follow a session to its newest stream', async () => {
    const { openStream } = await inSession();
    const [first, second] = [await openStream(), await openStream()];
    await changer.note('all/x');
    assert.equal((await second.next())?.params?.['uri'], URI);
    await second.close();
    await until(1);
    await changer.note('all/x');
    assert.equal((await first.next())?.params?.['uri'], URI);
    await first.close();
    await until(0);
  });

  it('last longer than a call, whatever a check of their credential takes', async () => {
    const { url, host } = await start({
      plugins: [notes, revocable(new Set(['slow']))],
      transports: [mcpTransport({ heartbeatMs: 100 })],
      config: { server: { call_timeout_ms: 400 } },
    });
    try {
      const stream = await listen(url, bearer('slow'));
      await new Promise((resolve) => setTimeout(resolve, 900));
      await changer.note('all/x');
      assert.equal((await stream.next())?.params?.['uri'], URI);
    } finally {
      await host.stop();
    }
  });
});
