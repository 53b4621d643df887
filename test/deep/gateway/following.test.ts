import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import mcp, { serveMcpStdio } from '@service-mcp/transport-mcp';
import { serveGateway, type Served } from '../../gateway/support/serve-gateway.js';
import { addressOf, gone, lamps } from '../../gateway/support/lamp-plugin.js';
import { lineTo, type Line } from '../../gateway/support/cuttable-line.js';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'a client', version: '1' },
};

describe('gateway: clients that follow resources', () => {
  let service: TestHost;
  let line: Line;
  let gateway: Served;
  before(async () => {
    service = await testHost({ plugins: [lamps], transports: [mcp] });
    line = await lineTo(service.url ?? '');
    gateway = await serveGateway({ SERVICE_API_URL: line.url });
  });
  afterEach(() => gone.clear());
  after(async () => {
    await gateway.stop();
    await line.close();
    await service.stop();
  });

  /** How many streams of changes the service has open. */
  const streams = async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^service_mcp_change_streams (\d+)$/m.exec(metrics)?.[1]);
  };
  const until = async (count: number) => {
    while ((await streams()) !== count) await sleep(20);
  };

  const switchLamp = (name: string) => service.use('lamps_switch', { name });

  /** A client that follows the lamps of these names. */
  async function following(names: readonly string[], hear: (uri: string) => void) {
    const client = new Client(
      { name: 'a client', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)));
    const subscription = await client.listen({ resourceSubscriptions: names.map(addressOf) });
    return async () => {
      await subscription.close();
      await client.close();
    };
  }

  it('many subscribers of one resource each get a change once', async () => {
    const heard: number[] = [];
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_, n) => following(['hall'], () => heard.push(n))),
    );
    for (let times = 1; times <= 2; times += 1) {
      await switchLamp('hall');
      while (heard.length < 6 * times) await sleep(10);
      await sleep(300); // time for duplicates
      assert.deepEqual(
        heard.slice(6 * (times - 1)).sort((a, b) => a - b),
        [0, 1, 2, 3, 4, 5],
      );
    }
    for (const end of ends) await end();
  });

  it('get changes of the remaining resources after a cut connection, when one is gone', async () => {
    const heard = new Set<string>();
    const end = await following(['kitchen', 'cellar', 'attic'], (uri) => heard.add(uri));
    gone.add('cellar');
    line.cut();
    while (heard.size < 3) await sleep(10); // each may have changed meanwhile, and one has
    heard.clear();
    await switchLamp('attic');
    while (heard.size < 1) await sleep(10);
    assert.deepEqual([...heard], [addressOf('attic')]);
    await end();
  });

  it('subscribe over stdio as often as they like: a dropped subscription frees its stream', async () => {
    await until(1); // the gateway's own
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const { catalog, call } = gateway.gateway;
    const connection = serveMcpStdio(catalog, () => call(), { version: '1', stdin, stdout });
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const write = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': INITIALIZE.clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
      notifications: { resourceSubscriptions: [addressOf('porch')] },
    };
    for (let id = 1; id <= 5; id += 1) {
      write({ id, method: 'subscriptions/listen', params });
      assert.match(String((await lines.next()).value), /acknowledged/);
      write({ method: 'notifications/cancelled', params: { requestId: id } });
      await until(1);
    }
    // Taken back before the service has answered.
    write({ id: 6, method: 'subscriptions/listen', params });
    write({ method: 'notifications/cancelled', params: { requestId: 6 } });
    await sleep(500);
    await until(1);
    await connection.close();
  });

  it('in a session, one of them gone: the others by one stream of the service', async () => {
    await until(1); // the gateway's own
    const opened = await gateway.ask('initialize', INITIALIZE);
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    for (const name of ['red', 'green', 'blue', 'white'])
      await gateway.ask('resources/subscribe', { uri: addressOf(name) }, headers);
    gone.add('green');
    const leaving = new AbortController();
    const stream = await fetch(`${gateway.url}/mcp`, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    const seen = new Set<number>();
    for (let looks = 0; looks < 40; looks += 1) {
      seen.add(await streams());
      await sleep(10);
    }
    assert.deepEqual([...seen].at(-1), 2);
    assert.ok(
      [...seen].every((count) => count <= 2),
      [...seen].join(' '),
    );
    await switchLamp('blue');
    const { value } = (await stream.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new TransformStream<string, string>({
          transform: (text, to) => void (text.includes('updated') && to.enqueue(text)),
        }),
      )
      .getReader()
      .read()) ?? { value: '' };
    assert.ok(value?.includes(addressOf('blue')), value);
    leaving.abort();
    await until(1);
  });
});
