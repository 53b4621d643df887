import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Gateway } from '@service-mcp/transport-gateway';
import { gatewayTo } from './gateway.js';
import { answering, type Peer } from './peer.js';

const MiB = 1024 * 1024;

describe('gateway: a streaming reverse proxy', () => {
  let stops: Array<() => Promise<void>> = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function before(
    answer: (req: IncomingMessage, res: ServerResponse) => void,
    settings: Parameters<typeof gatewayTo>[1] = {},
  ): Promise<{ peer: Peer; gateway: Gateway }> {
    const peer = await answering((req, res) => {
      if (req.url !== '/health') return answer(req, res);
      const health = JSON.stringify({ server: 'service-mcp' });
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': health.length }).end(health);
    });
    stops.push(() => peer.close());
    const gateway = await gatewayTo(peer.url, settings);
    stops.push(() => gateway.stop());
    return { peer, gateway };
  }
  const ok = (_req: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end('{}');

  /** Sends a request with exactly these headers. */
  function send(gateway: Gateway, path: string, headers: Record<string, string>, method = 'GET') {
    const sent = request(`${gateway.url}${path}`, { method, headers, agent: false });
    sent.on('error', () => undefined);
    return sent;
  }
  async function headersAt(
    gateway: Gateway,
    peer: Peer,
    headers: Record<string, string>,
    path = '/api/v1/x',
  ): Promise<IncomingHttpHeaders> {
    const [answer] = (await once(send(gateway, path, headers).end(), 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'close');
    assert.equal(answer.statusCode, 200);
    return (peer.asked.at(-1) as IncomingMessage).headers;
  }

  it('passes status, headers and body both ways as they are', async () => {
    const { peer, gateway } = await before((req, res) => {
      res.writeHead(201, {
        'content-type': 'application/json',
        'mcp-session-id': 's',
        location: '/api/v1/y',
      });
      req.pipe(res);
    });
    const response = await fetch(`${gateway.url}/api/v1/x?a=%2Fb&a=c`, {
      method: 'PATCH',
      headers: {
        'idempotency-key': 'k',
        'mcp-session-id': 's',
        'last-event-id': '7',
        'x-request-id': 'mine',
      },
      body: '{"é":1}',
    });
    assert.equal(response.status, 201);
    assert.equal(await response.text(), '{"é":1}');
    assert.equal(response.headers.get('mcp-session-id'), 's');
    assert.equal(response.headers.get('location'), '/api/v1/y');
    assert.equal(response.headers.get('x-request-id'), 'mine');
    const [asked] = peer.asked as [IncomingMessage];
    assert.deepEqual([asked.method, asked.url], ['PATCH', '/api/v1/x?a=%2Fb&a=c']);
    const { headers } = asked;
    assert.deepEqual(
      [
        headers['idempotency-key'],
        headers['mcp-session-id'],
        headers['last-event-id'],
        headers['x-request-id'],
      ],
      ['k', 's', '7', 'mine'],
    );
    assert.equal(headers.host, new URL(peer.url).host);
  });

  it('keeps headers of one connection, cookies, origins and forged forwarding to itself', async () => {
    const { peer, gateway } = await before(
      (_req, res) => {
        res.writeHead(200, {
          'content-type': 'application/json',
          'set-cookie': 'a=b',
          'access-control-allow-origin': '*',
          'keep-alive': 'timeout=5',
          vary: 'Accept',
        });
        res.end('{}');
      },
      { allow_remote: true },
    );
    const { host } = new URL(gateway.url);
    const headers = await headersAt(gateway, peer, {
      connection: 'close, x-hop',
      'x-hop': '1',
      te: 'trailers',
      cookie: 'session=1',
      origin: `http://${host}`,
      referer: `http://${host}/`,
      'proxy-authorization': 'Basic eDp5',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=203.0.113.9',
      via: '1.1 x',
    });
    for (const name of [
      'x-hop',
      'te',
      'cookie',
      'origin',
      'referer',
      'proxy-authorization',
      'via',
      'forwarded',
    ])
      assert.equal(headers[name], undefined, name);
    assert.equal(headers['x-forwarded-for'], undefined);
    assert.equal(headers['x-forwarded-host'], undefined);
    const response = await fetch(`${gateway.url}/api/v1/x`, { headers: { origin: `http://${host}` } });
    assert.equal(response.headers.get('set-cookie'), null);
    assert.equal(response.headers.get('access-control-allow-origin'), `http://${host}`);
    assert.match(response.headers.get('vary') ?? '', /Origin, Accept/i);
  });

  it('adds its own key where there is no credential, and never beside one', async () => {
    const { peer, gateway } = await before(ok, { api_key: 'own' });
    assert.equal((await headersAt(gateway, peer, {}))['x-service-api-key'], 'own');
    for (const given of [{ authorization: 'Bearer x' }, { 'x-api-key': 'y' }, { 'x-service-jwt': 'a.b.c' }]) {
      const headers = await headersAt(gateway, peer, given);
      assert.equal(headers['x-service-api-key'], undefined);
      for (const [name, value] of Object.entries(given)) assert.equal(headers[name], value);
    }
    const dropped = await headersAt(gateway, peer, { 'x-api-key': 'y', connection: 'x-api-key' });
    assert.deepEqual([dropped['x-api-key'], dropped['x-service-api-key']], [undefined, undefined]);
  });

  it('passes on the operator’s choice of tools, unless the client chooses, and read-only mode in any case', async () => {
    const { peer, gateway } = await before(ok, { toolsets: ['light', 'help'], read_only: true });
    const chosen = async (path: string, headers: Record<string, string> = {}) => {
      const got = await headersAt(gateway, peer, headers, path);
      return [got['x-service-toolset'], got['x-service-readonly']];
    };
    assert.deepEqual(await chosen('/mcp'), ['light,help', 'true']);
    for (const path of ['/client', '/client/', '/CLIENT'])
      assert.deepEqual(await chosen(path), [undefined, 'true'], path);
    assert.deepEqual(await chosen('/mcp?toolset=meta'), [undefined, 'true']);
    const forced = { 'x-service-toolset': 'meta', 'x-service-readonly': 'false' };
    assert.deepEqual(await chosen('/mcp', forced), ['meta', 'true']);
  });

  it('streams events as they come', async () => {
    let write: (text: string) => void = () => undefined;
    const { gateway } = await before((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      write = (text) => void res.write(text);
    });
    const response = await fetch(`${gateway.url}/api/v1/stream`); // the head comes before any event
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      write(text);
      assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), text);
    }
    await reader.cancel();
  });

  it('a client that leaves ends the request at the service, before the answer and in the middle of it', async () => {
    for (const begins of [false, true]) {
      const events = new EventEmitter();
      const { gateway } = await before((_req, res) => {
        res.on('close', () => events.emit('gone'));
        if (begins) res.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
        events.emit('came');
      });
      const [came, gone] = [once(events, 'came'), once(events, 'gone')];
      const sent = send(gateway, '/mcp', {}).end();
      await came;
      if (begins) await once(sent, 'response');
      sent.destroy();
      await gone;
    }
  });

  it('a client that leaves while its credential is looked up is not forwarded', async () => {
    const events = new EventEmitter();
    const { peer, gateway } = await before(
      (req, res) => {
        if (req.method !== 'HEAD') return ok(req, res);
        events.emit('asked');
        events.once('left', () => res.writeHead(401).end());
      },
      { require_auth: true },
    );
    const asked = once(events, 'asked');
    const key = { 'x-api-key': 'k' };
    const sent = send(gateway, '/api/v1/stream', key).end();
    await asked;
    sent.destroy();
    const counted = 'service_mcp_gateway_seconds_count{route="/api/v1"';
    while (!(await (await fetch(`${gateway.url}/metrics`)).text()).includes(counted));
    events.emit('left');
    assert.equal((await fetch(`${gateway.url}/api/v1/x`, { headers: key })).status, 200);
    assert.deepEqual(
      peer.asked.map(({ url }) => url),
      ['/mcp', '/api/v1/x'],
    );
  });

  it('answers a foreign Host in the format of the address', async () => {
    const { gateway } = await before(ok);
    for (const [path, keys] of [
      ['/mcp', ['jsonrpc', 'id', 'error']],
      ['/api/v1/rpc/', ['jsonrpc', 'id', 'error']],
      ['/api/v1/tools/call', ['error']],
      ['/api/v1/x', ['success', 'data', 'error', 'metadata']],
    ] as const) {
      const sent = send(gateway, path, { host: 'evil.example' }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      assert.equal(answer.statusCode, 421);
      assert.deepEqual(Object.keys((await json(answer)) as object), keys, path);
    }
  });

  it('an answer that breaks off is cut for the client, and does not look complete', async () => {
    const { gateway } = await before((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('{');
      setTimeout(() => res.destroy(), 20);
    });
    const response = await fetch(`${gateway.url}/api/v1/x`);
    await assert.rejects(response.text());
  });

  it('a client that reads slowly holds the service back', async () => {
    let written = 0;
    const part = Buffer.alloc(256 * 1024);
    const { gateway } = await before((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!res.destroyed && written < 256 * MiB) {
          written += part.length;
          if (!res.write(part)) return void res.once('drain', more);
        }
      };
      more();
    });
    const [answer] = (await once(send(gateway, '/api/v1/x', {}).end(), 'response')) as [IncomingMessage];
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok(written < 64 * MiB, `${written} bytes were taken from the service`);
    answer.destroy();
  });

  it('a large body goes through, whole and in chunks, and one over 16 MiB does not', async () => {
    let received = 0;
    const { gateway } = await before((req, res) => {
      received = 0;
      req.on('data', (part: Buffer) => (received += part.length)).on('end', () => ok(req, res));
    });
    const post = async (bytes: number, headers: Record<string, string>) => {
      const sent = send(gateway, '/api/v1/x', headers, 'POST');
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      for (let left = bytes; left > 0; left -= MiB) sent.write(Buffer.alloc(Math.min(MiB, left)));
      sent.end();
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    };
    for (const bytes of [10, 2 * MiB, 16 * MiB]) {
      assert.equal(await post(bytes, { 'content-length': String(bytes) }), 200);
      assert.equal(received, bytes);
      assert.equal(await post(bytes, {}), 200); // chunked
      assert.equal(received, bytes);
    }
    assert.equal(await post(17 * MiB, {}), 413);
    assert.equal(await post(17 * MiB, { 'content-length': String(17 * MiB) }), 413);
  });

  it('takes Expect: 100-continue, HEAD and OPTIONS', async () => {
    const { peer, gateway } = await before((req, res) => {
      assert.equal(req.headers.expect, undefined);
      ok(req, res);
    });
    const sent = send(gateway, '/api/v1/x', { expect: '100-continue', 'content-length': '2' }, 'POST');
    sent.flushHeaders();
    await once(sent, 'continue');
    const [answer] = (await once(sent.end('{}'), 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 200);
    const head = await fetch(`${gateway.url}/api/v1/x`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text(), peer.asked.at(-1)?.method], [200, '', 'HEAD']);
    assert.equal((await fetch(`${gateway.url}/api/v1/x`, { method: 'OPTIONS' })).status, 204);
  });

  it('forwards no other address, and no path that climbs', async () => {
    const { peer, gateway } = await before(ok);
    for (const path of ['/', '/v1/workspaces', '/mcp/x', '/docs', '/oauth/authorize', '/metricsx'])
      assert.equal((await fetch(gateway.url + path)).status, 404, path);
    const { hostname, port } = new URL(gateway.url);
    for (const path of [
      '/api/v1/../../docs',
      '/api/v1/%2e%2E/x',
      '/api/v1/..%2f..%2fdocs',
      '/api/v1/..\\x',
    ]) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      assert.match(head.toString(), /^HTTP\/1\.1 40[04] /, path);
      socket.destroy();
    }
    assert.deepEqual(peer.asked, []);
  });
});
