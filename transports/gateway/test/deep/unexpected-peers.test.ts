import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ErrorBody, ErrorCode } from '@service-mcp/core';
import type { Gateway } from '@service-mcp/transport-gateway';
import { gatewayTo } from '../gateway.js';
import { accepting, answering, type Peer } from '../peer.js';

const KEY = 'svc_live_of-the-gateway-0123456789';
const FOREIGN = 'text of a foreign server';
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'memory_create_event' } };

interface Wire {
  readonly error?: { readonly data: { readonly code: string } };
  readonly result?: { readonly _meta: { readonly 'service-mcp/error': { readonly code: string } } };
}

describe('gateway: servers that are not the service', () => {
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

  const post = (gateway: Gateway, path: string, body: object) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    });

  /** The failure of a call, which each surface tells in its own format. */
  async function failureOf(gateway: Gateway): Promise<ErrorBody> {
    const compatibility = await post(gateway, '/api/v1/tools/call', { name: 'memory_create_event' });
    const text = await compatibility.text();
    for (const secret of [KEY, FOREIGN, 'ECONN', 'undici', 'UND_ERR'])
      assert.ok(!text.includes(secret), `${secret} reaches a caller: ${text}`);
    const { error } = JSON.parse(text) as { error: ErrorBody };
    const rpc = (await (await post(gateway, '/api/v1/rpc', CALL)).json()) as Wire;
    assert.equal(rpc.error?.data.code, error.code);
    const mcp = (await (await post(gateway, '/mcp', CALL)).json()) as Wire;
    assert.equal((mcp.result?._meta['service-mcp/error'] ?? mcp.error?.data)?.code, error.code);
    const rest = await fetch(`${gateway.url}/api/v1/workspaces`);
    const envelope = (await rest.json()) as { success: boolean; error: ErrorBody };
    assert.deepEqual([rest.status, envelope.error.code], [compatibility.status, error.code]);
    assert.equal(envelope.success, false);
    return error;
  }

  const html = (status: number) => (res: ServerResponse) =>
    void res.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${FOREIGN}</h1>`);
  const answers: ReadonlyArray<readonly [string, (res: ServerResponse) => void, ErrorCode, RegExp]> = [
    ['a page', html(200), 'UNAVAILABLE', /does not send JSON[^]*SERVICE_API_URL/],
    ['a page of a proxy, 502', html(502), 'UNAVAILABLE', /HTTP 502/],
    ['a page, 404', html(404), 'UNAVAILABLE', /HTTP 404/],
    ['a page, 401', html(401), 'UNAUTHENTICATED', /needs a credential/],
    ['a page, 403', html(403), 'PERMISSION_DENIED', /denies/],
    ['a page, 413', html(413), 'PAYLOAD_TOO_LARGE', /Send less/],
    ['a page, 421', html(421), 'MISDIRECTED', /the host name 127\.0\.0\.1:\d+[^]*SERVICE_ALLOWED_HOSTS/],
    ['a page, 429', html(429), 'RATE_LIMITED', /Wait/],
    ['a redirect', (res) => void res.writeHead(302, { location: '/x' }).end(), 'UNAVAILABLE', /not followed/],
    [
      'a permanent redirect',
      (res) => void res.writeHead(308, { location: 'http://evil.example/' }).end(),
      'UNAVAILABLE',
      /not followed/,
    ],
    ['silence', () => undefined, 'UNAVAILABLE', /does not respond/],
    [
      'no answer to calls',
      (res) => void (res.req.url === '/health' && res.end('{}')),
      'DEADLINE_EXCEEDED',
      /may have been executed/,
    ],
    ['a reset', (res) => void res.socket?.resetAndDestroy(), 'UNAVAILABLE', /may have been executed/],
  ];
  for (const [what, answer, code, message] of answers) {
    it(`${what}: ${code} on every surface`, async () => {
      const error = await failureOf(await before(await answering((_req, res) => answer(res))));
      assert.equal(error.code, code);
      assert.match(error.message, message);
    });
  }

  it('a closed port: UNAVAILABLE within a second on every surface', async () => {
    const peer = await accepting(() => undefined);
    await peer.close();
    const gateway = await gatewayTo(peer.url);
    stops.push(() => gateway.stop());
    const startedAt = performance.now();
    const error = await failureOf(gateway);
    assert.ok(performance.now() - startedAt < 1000);
    assert.equal(error.code, 'UNAVAILABLE');
    assert.match(error.message, /is unavailable: nothing listens at its port/);
  });

  it('an unknown host: UNAVAILABLE', async () => {
    const gateway = await gatewayTo('http://no-such-host.invalid');
    stops.push(() => gateway.stop());
    assert.match((await failureOf(gateway)).message, /host name/);
  });

  it('a broken call is sent once', async () => {
    let calls = 0;
    const gateway = await before(
      await answering((req, res) => {
        if (req.url !== '/health') calls += 1;
        res.socket?.resetAndDestroy();
      }),
    );
    await post(gateway, '/mcp', CALL);
    assert.equal(calls, 1);
  });

  it('a redirect is not followed, so that no credential leaks', async () => {
    const other = await answering((_req, res) => void res.writeHead(200).end());
    stops.push(() => other.close());
    const gateway = await before(
      await answering((_req, res) => void res.writeHead(307, { location: `${other.url}/mcp` }).end()),
    );
    await failureOf(gateway);
    assert.deepEqual(other.asked, []);
  });

  it('help responds without the service, and lists only itself', async () => {
    for (const peer of [await accepting(() => undefined), await answering((_req, res) => html(502)(res))]) {
      const gateway = await before(peer, { answer_timeout_ms: 60_000 });
      const startedAt = performance.now();
      const help = await (await post(gateway, '/api/v1/tools/help', { action: 'tools' })).json();
      assert.ok(performance.now() - startedAt < 1000);
      const { structuredContent } = help as { structuredContent: Record<string, unknown> };
      assert.deepEqual(Object.keys(structuredContent), ['server', 'version', 'tools']);
      assert.deepEqual(structuredContent['tools'], [{ name: 'help', title: 'Help', effect: 'read' }]);
      assert.equal((await post(gateway, '/api/v1/tools/help', { action: 'x' })).status, 400);
    }
  });

  it('another server at the address, and one that hangs, are not the service', async () => {
    const other = await answering(
      (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}'),
    );
    for (const peer of [other, await accepting(() => undefined)]) {
      const gateway = await before(peer);
      const startedAt = performance.now();
      const health = (await (await fetch(`${gateway.url}/health`)).json()) as { upstream: object };
      assert.ok(performance.now() - startedAt < 1000);
      assert.deepEqual(health.upstream, { url: peer.url, status: 'unreachable' });
    }
  });

  it('a service that comes and goes is noticed each time', async () => {
    const state = { up: false };
    const peer = await answering((_req, res) => {
      if (!state.up) return void res.destroy();
      const body = JSON.stringify({ server: 'service-mcp' });
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
    const gateway = await before(peer);
    const isUp = async () =>
      /^service_mcp_upstream_up 1$/m.test(await (await fetch(`${gateway.url}/metrics`)).text());
    for (let times = 1; times <= 4; times++) {
      while ((await isUp()) !== state.up) await new Promise((resolve) => setTimeout(resolve, 50));
      state.up = !state.up;
    }
  });
});
