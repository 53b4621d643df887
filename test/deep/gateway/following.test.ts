import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { loadGateway } from '@service-mcp/transport-gateway';
import { relayStdio } from '@service-mcp/transport-gateway/stdio';
import mcp from '@service-mcp/transport-mcp';
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
    const end = async () => {
      await subscription.close();
      await client.close();
    };
    return { end, closed: subscription.closed };
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
    for (const { end } of ends) await end();
  });

  it('know at once that a connection to the service was cut, and follow again', async () => {
    const heard = new Set<string>();
    const hear = (uri: string) => heard.add(uri);
    const first = await following(['kitchen', 'cellar', 'attic'], hear);
    line.cut();
    await first.closed;
    await first.end();
    gone.add('cellar');
    await assert.rejects(following(['kitchen', 'cellar'], hear));
    const second = await following(['kitchen', 'attic'], hear);
    await switchLamp('attic');
    while (heard.size < 1) await sleep(10);
    assert.deepEqual([...heard], [addressOf('attic')]);
    await second.end();
    await until(0);
  });

  it('subscribe over stdio as often as they like: a dropped subscription frees its stream', async () => {
    await until(0);
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const leaving = new AbortController();
    const settings = await loadGateway(undefined, { SERVICE_API_URL: line.url, SERVICE_LOG_LEVEL: 'silent' });
    const options = { signal: leaving.signal, keyRemedy: '', warn: assert.fail, stdin, stdout };
    const ended = relayStdio(settings, options);
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
      await until(1);
      write({ method: 'notifications/cancelled', params: { requestId: id } });
      await until(0);
    }
    // Taken back before the service has answered.
    write({ id: 6, method: 'subscriptions/listen', params });
    write({ method: 'notifications/cancelled', params: { requestId: 6 } });
    await sleep(500);
    await until(0);
    leaving.abort();
    await ended;
  });

  it('in a session, one of them gone: the others by one stream of the service', async () => {
    await until(0);
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
    assert.deepEqual([...seen].at(-1), 1);
    assert.ok(
      [...seen].every((count) => count <= 1),
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
    await until(0);
  });
});
