import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { ServiceError, type ErrorCode } from '@service-mcp/core';
import type { Gateway } from '@service-mcp/core/host';
import { gatewayTo } from './gateway.js';
import { accepting, answering, resultFor, type Peer } from './peer.js';

const KEY = 'svc_live_of-the-gateway-0123456789';
const FOREIGN = 'text of a foreign server';

describe('upstream: servers that are not the service', () => {
  let stops: Array<() => Promise<void>> = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function before(peer: Peer, settings: object = {}): Promise<Gateway> {
    stops.push(() => peer.close());
    const gateway = await gatewayTo(peer.url, { api_key: KEY, answer_timeout_ms: 400, ...settings });
    stops.push(() => gateway.stop());
    return gateway;
  }

  async function failureOf(gateway: Gateway, call = gateway.call()): Promise<ServiceError> {
    const error = await gateway.catalog.call('memory_create_event', {}, call).then(
      () => assert.fail('the call succeeded'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ServiceError);
    for (const secret of [KEY, FOREIGN, 'ECONN', 'undici'])
      assert.ok(!JSON.stringify(error.body).includes(secret), `${secret} reaches a caller: ${error.message}`);
    return error;
  }

  const html = (status: number) => (res: ServerResponse) =>
    void res.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${FOREIGN}</h1>`);
  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (res: ServerResponse) =>
      void res
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
  const envelope = (code: string, details?: object) => ({
    success: false,
    data: null,
    error: { code, message: 'message of the service', ...(details && { details }) },
  });

  const answers: ReadonlyArray<
    readonly [string, (res: ServerResponse, body: string) => void, ErrorCode, RegExp]
  > = [
    ['a page', html(200), 'UNAVAILABLE', /does not send JSON[^]*SERVICE_API_URL/],
    ['a page of a proxy, 502', html(502), 'UNAVAILABLE', /HTTP 502/],
    ['a page, 404', html(404), 'UNAVAILABLE', /HTTP 404/],
    ['a page, 401', html(401), 'UNAUTHENTICATED', /needs a credential/],
    ['a page, 403', html(403), 'PERMISSION_DENIED', /denies/],
    ['a page, 413', html(413), 'PAYLOAD_TOO_LARGE', /Send less/],
    [
      'a page, 421',
      html(421),
      'MISDIRECTED',
      /does not accept the host name 127\.0\.0\.1:\d+[^]*SERVICE_ALLOWED_HOSTS/,
    ],
    ['a page, 429', html(429), 'RATE_LIMITED', /Wait/],
    [
      'a redirect',
      (res) => void res.writeHead(302, { location: '/elsewhere' }).end(),
      'UNAVAILABLE',
      /not followed/,
    ],
    [
      'a permanent redirect',
      (res) => void res.writeHead(308, { location: 'http://evil.example/' }).end(),
      'UNAVAILABLE',
      /not followed/,
    ],
    ['broken JSON', json(200, '{"jsonrpc":'), 'UNAVAILABLE', /an invalid MCP/],
    ['JSON that is not a message', json(200, [1, 'x']), 'UNAVAILABLE', /an invalid MCP/],
    ['an empty response', json(200, ''), 'UNAVAILABLE', /an invalid MCP/],
    ['no content', (res) => void res.writeHead(204).end(), 'UNAVAILABLE', /an invalid MCP/],
    ['an empty 202', (res) => void res.writeHead(202).end(), 'UNAVAILABLE', /does not respond to the call/],
    [
      'the response to another request',
      (res) => json(200, { jsonrpc: '2.0', id: 'other', result: { content: [] } })(res),
      'UNAVAILABLE',
      /does not respond to the call/,
    ],
    [
      'a malformed result',
      (res, body) => json(200, resultFor(body, { content: 7 }))(res),
      'UNAVAILABLE',
      /an invalid MCP/,
    ],
    [
      'an error with an unknown number',
      (res, body) =>
        json(200, {
          jsonrpc: '2.0',
          id: (JSON.parse(body) as { id: number }).id,
          error: { code: -31999, message: FOREIGN },
        })(res),
      'UNAVAILABLE',
      /rejects the call \(-31999\)/,
    ],
    [
      'an unknown error code',
      (res, body) =>
        json(200, {
          jsonrpc: '2.0',
          id: (JSON.parse(body) as { id: number }).id,
          error: { code: -32602, message: FOREIGN, data: { code: 'constructor' } },
        })(res),
      'INVALID_ARGUMENT',
      /rejected the call/,
    ],
    [
      'a stream that ends',
      (res) => void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
      'UNAVAILABLE',
      /may have been executed/,
    ],
    [
      'a stream that breaks',
      (res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"json');
        setTimeout(() => res.destroy(), 20);
      },
      'UNAVAILABLE',
      /may have been executed/,
    ],
    [
      'a body that breaks',
      (res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{');
        setTimeout(() => res.destroy(), 20);
      },
      'UNAVAILABLE',
      /may have been executed/,
    ],
    [
      'a body that hangs',
      (res) => void res.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      'DEADLINE_EXCEEDED',
      /may have been executed/,
    ],
    [
      'the envelope of the service',
      json(503, envelope('UNAVAILABLE')),
      'UNAVAILABLE',
      /message of the service/,
    ],
    ['a conflict', json(409, envelope('CONFLICT', { twin: 'x' })), 'CONFLICT', /message of the service/],
  ];
  for (const [what, answer, code, message] of answers) {
    it(`${what}: ${code}`, async () => {
      const error = await failureOf(await before(await answering(answer)));
      assert.equal(error.code, code);
      assert.match(error.message, message);
    });
  }

  it('a missing scope, named only in the header, is reported', async () => {
    const header = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="memory:write mcp:read"' };
    const error = await failureOf(await before(await answering(json(403, {}, header))));
    assert.equal(error.code, 'PERMISSION_DENIED');
    assert.deepEqual(error.details, { scope: 'memory:write mcp:read' });
  });

  it('a closed port: UNAVAILABLE at once', async () => {
    const peer = await accepting(() => undefined);
    await peer.close();
    const gateway = await gatewayTo(peer.url);
    stops.push(() => gateway.stop());
    const error = await failureOf(gateway);
    assert.equal(error.code, 'UNAVAILABLE');
    assert.match(error.message, /is unavailable: nothing listens at its port/);
  });

  it('an unknown host: UNAVAILABLE', async () => {
    const gateway = await gatewayTo('http://no-such-host.invalid');
    stops.push(() => gateway.stop());
    assert.match((await failureOf(gateway)).message, /host name/);
  });

  it('an accepted connection that is reset: UNAVAILABLE, sent once', async () => {
    let connections = 0;
    const peer = await accepting((socket) => {
      connections += 1;
      socket.once('data', () => socket.resetAndDestroy());
    });
    const gateway = await before(peer);
    await gateway.catalog.resources(gateway.call()).catch(() => undefined); // the monitor's first check has ended
    connections = 0;
    const error = await failureOf(gateway);
    assert.equal(error.code, 'UNAVAILABLE');
    assert.match(error.message, /may have been executed/);
    assert.equal(connections, 1);
  });

  it('a service that never responds: DEADLINE_EXCEEDED', async () => {
    const error = await failureOf(await before(await accepting(() => undefined)));
    assert.equal(error.code, 'DEADLINE_EXCEEDED');
  });

  it('an aborted call aborts its request, with the reason of the call', async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const gateway = await before(await answering((res) => void res.on('close', closed)), {
      answer_timeout_ms: 60_000,
    });
    const ending = new AbortController();
    const failure = failureOf(gateway, gateway.call({ signal: ending.signal }));
    setTimeout(() => ending.abort(new ServiceError('DEADLINE_EXCEEDED', 'the client went away')), 50);
    assert.equal((await failure).message, 'the client went away');
    await gone;
    await assert.rejects(gateway.catalog.tools(gateway.call({ signal: AbortSignal.abort() })), {
      code: 'DEADLINE_EXCEEDED',
    });
  });

  it('a redirect is not followed, so that no credential leaks', async () => {
    const other = await answering((res) => void res.writeHead(200).end());
    stops.push(() => other.close());
    const gateway = await before(
      await answering((res) => void res.writeHead(307, { location: `${other.url}/mcp` }).end()),
    );
    await failureOf(gateway);
    assert.deepEqual(other.asked, []);
  });

  it('a stream with an endless event is closed', async () => {
    const part = 'x'.repeat(256 * 1024);
    const connection = { closed: false };
    let sent = 0;
    const peer = await answering(html(200), (_req, res) => {
      const more = (): void => {
        sent += part.length;
        if (!connection.closed) res.write(part, () => setImmediate(more));
      };
      res.on('close', () => (connection.closed = true));
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
      more();
    });
    const gateway = await before(peer);
    const told: unknown[] = [];
    for await (const item of gateway.catalog.streamEvents({ types: [] }, gateway.call())) told.push(item);
    assert.deepEqual(told, []);
    assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes were read`);
    while (!connection.closed) await new Promise((resolve) => setImmediate(resolve));
  });

  it('help responds without the service, and lists only itself', async () => {
    for (const peer of [await accepting(() => undefined), await answering(html(502))]) {
      const gateway = await before(peer, { answer_timeout_ms: 60_000 });
      const result = await gateway.catalog.call('help', { action: 'tools' }, gateway.call());
      assert.ok(result.kind === 'complete');
      assert.deepEqual(Object.keys(result.structured), ['server', 'version', 'tools']);
      assert.deepEqual(result.structured['tools'], [{ name: 'help', title: 'Help', effect: 'read' }]);
      await assert.rejects(gateway.catalog.call('help', { action: 'x' }, gateway.call()), {
        code: 'INVALID_ARGUMENT',
      });
    }
  });
});
