import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ERRORS } from '@service-mcp/core';
import type { Gateway } from '@service-mcp/transport-gateway';
import { gatewayTo } from './gateway.js';
import { answering } from './peer.js';

describe('gateway: /api/v1/rpc while the service is away', () => {
  let gateway: Gateway;
  before(async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    gateway = await gatewayTo(`http://127.0.0.1:${port}`);
  });
  after(() => gateway.stop());

  async function send(body: string, type = 'application/json') {
    const headers = { 'content-type': type };
    const response = await fetch(`${gateway.url}/api/v1/rpc`, { method: 'POST', headers, body });
    const answer = (await response.json()) as { id: unknown; error: { code: number } };
    return [response.status, answer.error.code, answer.id];
  }

  it('refuses what is not a JSON-RPC request as the service does', async () => {
    for (const garbage of ['', '{', 'nonsense', '{"jsonrpc":"2.0",'])
      assert.deepEqual(await send(garbage), [200, ERRORS.PARSE_ERROR.rpc, null], garbage);
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.deepEqual(await send(`\ufeff${JSON.stringify(request)}`), [200, ERRORS.UNAVAILABLE.rpc, 1]);
    for (const wrong of [[], [request], 7, { ...request, jsonrpc: '1.0' }].map((one) => JSON.stringify(one)))
      assert.deepEqual((await send(wrong)).slice(0, 2), [200, ERRORS.INVALID_REQUEST.rpc], wrong);
    const listed = JSON.stringify({ ...request, params: [] });
    assert.deepEqual(await send(listed), [200, ERRORS.INVALID_REQUEST.rpc, 1]);
    const { http, rpc } = ERRORS.UNSUPPORTED_MEDIA_TYPE;
    assert.deepEqual(await send('{}', 'text/plain'), [http, rpc, null]);
  });

  it('opens no conversation of the compatibility routes, whose sessions the service keeps', async () => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    const response = await fetch(`${gateway.url}/api/v1/initialize`, init);
    const { error } = (await response.json()) as { error?: { code: string } };
    assert.deepEqual([response.status, error?.code], [503, 'UNAVAILABLE']);
  });

  it('answers a request and a notification with UNAVAILABLE, as the service does where a part of it is away', async () => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/list' });
    assert.deepEqual(await send(request), [200, ERRORS.UNAVAILABLE.rpc, 'a']);
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual(await send(notification), [200, ERRORS.UNAVAILABLE.rpc, null]);
  });
});

describe('gateway: a service that accepts connections and does not answer', () => {
  const frozen = createServer();
  let gateway: Gateway;
  before(async () => {
    frozen.listen(0, '127.0.0.1');
    await once(frozen, 'listening');
    const { port } = frozen.address() as AddressInfo;
    gateway = await gatewayTo(`http://127.0.0.1:${port}`);
  });
  after(async () => {
    await gateway.stop();
    frozen.close();
  });

  it('is away: calls fail with UNAVAILABLE, and help is answered', async () => {
    const headers = { 'content-type': 'application/json' };
    const call = async (name: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
      const signal = AbortSignal.timeout(1500);
      const response = await fetch(`${gateway.url}/api/v1/rpc`, { method: 'POST', headers, body, signal });
      return (await response.json()) as { result?: object; error?: { code: number } };
    };
    assert.equal((await call('projects_list')).error?.code, ERRORS.UNAVAILABLE.rpc);
    assert.ok((await call('help')).result);
  });
});

describe('gateway: health of the service in chunks, as some proxies send it', () => {
  async function readiness(pieces: Iterable<string>): Promise<{ status: number; sent: number }> {
    let sent = 0;
    const peer = await answering((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const rest = pieces[Symbol.iterator]();
      const write = (): void => {
        const { value, done } = rest.next();
        if (done === true || res.destroyed) return void res.end();
        sent += value.length;
        res.write(value, () => setImmediate(write));
      };
      write();
    });
    const gateway = await gatewayTo(peer.url);
    try {
      return { status: (await fetch(`${gateway.url}/ready`)).status, sent };
    } finally {
      await gateway.stop();
      await peer.close();
    }
  }

  it('is read without its length', async () => {
    assert.equal((await readiness(['{"server":', '"service-mcp"}'])).status, 200);
  });

  it('is read up to a limit', async () => {
    const long = [
      '{"server":"service-mcp","more":"',
      ...Array<string>(1000).fill('x'.repeat(64 * 1024)),
      '"}',
    ];
    const { status, sent } = await readiness(long);
    assert.equal(status, 503);
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken`);
  });
});
