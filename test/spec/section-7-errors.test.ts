import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { eachEndpoint } from './each-endpoint.js';
import { NOBODY, rpc, send } from './http.js';

describe('interface.md 7: errors in JSON-RPC', () =>
  eachEndpoint((endpoint) => {
    const absent = { name: 'projects_index_status', arguments: { project_id: NOBODY } };
    for (const [condition, method, params, code] of [
      ['unknown method', 'no/method', {}, -32601],
      ['unknown tool name', 'tools/call', { name: 'no_tool' }, -32602],
      ['schema violation', 'tools/call', { name: 'help', arguments: { action: 5 } }, -32602],
      ['execution failure', 'tools/call', absent, -32004],
    ] as const) {
      it(`7, row 4: ${condition} in JSON-RPC is an error object with code and message, though HTTP says 200`, async () => {
        const { status, body } = await rpc(endpoint.url, method, params);
        assert.equal(status, 200);
        assert.equal(body.result, undefined);
        assert.equal(body.error?.code, code);
        assert.ok((body.error?.message ?? '').length > 0);
      });
    }
  }));

describe('interface.md 7: errors', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('7, row 5: a backend REST failure has success false, data null, and error with code, message and details', async () => {
    const { status, body } = await send(service.url, 'POST', '/api/v1/workspaces', { body: { name: '' } });
    assert.equal(status, 400);
    assert.deepEqual([body.success, body.data], [false, null]);
    assert.equal(body.error?.code, 'INVALID_ARGUMENT');
    assert.match(body.error?.message ?? '', /name/);
    assert.ok(body.error?.details);
  });

  it('7, row 6: any non-2xx status is a failure, and carries the envelope', async () => {
    for (const [method, path, status, code] of [
      ['GET', '/v1/nothing', 404, 'NOT_FOUND'],
      ['GET', '/nothing/at/all', 404, 'NOT_FOUND'],
      ['DELETE', '/v1/search/hybrid', 405, 'METHOD_NOT_ALLOWED'],
      ['GET', `/v1/projects/${NOBODY}`, 404, 'NOT_FOUND'],
      ['GET', '/v1/projects/lamps', 400, 'INVALID_ARGUMENT'],
    ] as const) {
      const reply = await send(service.url, method, path);
      assert.deepEqual(
        [reply.status, reply.body.success, reply.body.error?.code],
        [status, false, code],
        path,
      );
    }
  });

  it('7, availability: tools depend on the toolset; see the current tools/list', async () => {
    const names = async (headers = {}) =>
      (
        await send<{ tools: { name: string }[] }>(service.url, 'GET', '/api/v1/tools/list', { headers })
      ).body.tools.map(({ name }) => name);
    const [light, standard, complete] = [
      await names({ 'x-service-toolset': 'light' }),
      await names(),
      await names({ 'x-service-toolset': 'complete' }),
    ];
    assert.ok(light.length < standard.length && standard.length < complete.length);
    assert.ok(light.every((name) => standard.includes(name)));
    assert.ok(standard.every((name) => complete.includes(name)));
    const call = async (headers: Record<string, string>) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'workspaces_delete', arguments: {} },
      });
      const response = await fetch(`${service.url}/api/v1/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return ((await response.json()) as { error: { data: { code: string } } }).error.data.code;
    };
    assert.equal(await call({ 'x-service-toolset': 'standard' }), 'UNKNOWN_TOOL', 'held to what it chose');
    assert.equal(await call({}), 'INVALID_ARGUMENT', 'by name everything under the ceiling is reached');
  });
});

describe('interface.md 9: versioning', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('9, row 1: public routes carry /v1, backend and compatibility routes /api/v1', async () => {
    for (const path of ['/v1/workspaces', '/api/v1/workspaces', '/api/v1/tools/list', '/api/v1/health']) {
      assert.equal((await send(service.url, 'GET', path)).status, 200, path);
    }
    for (const path of ['/workspaces', '/v2/workspaces', '/v1/tools/list']) {
      assert.equal((await send(service.url, 'GET', path)).status, 404, path);
    }
  });

  it('9, row 1: metadata.version carries a version string', async () => {
    const { body } = await send(service.url, 'GET', '/v1/workspaces');
    assert.match(body.metadata.version, /^\d+\.\d+\.\d+/);
  });

  for (const [asked, given] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ] as const) {
    it(`9, row 2: initialize with protocolVersion ${asked} negotiates ${given}`, async () => {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 's', version: '1' } };
      const { body } = await rpc(service.url, 'initialize', params);
      assert.equal(body.result?.['protocolVersion'], given);
      const accept = 'application/json, text/event-stream';
      const mcp = await send(service.url, 'POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
        headers: { accept },
      });
      assert.match(mcp.text, new RegExp(`"protocolVersion":"${given}"`));
    });
  }

  it('9, row 3: /mcp takes the optional query default_context_mode', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { accept: 'application/json, text/event-stream' };
    for (const query of ['', '?default_context_mode=fast']) {
      assert.equal((await send(service.url, 'POST', `/mcp${query}`, { body, headers })).status, 200);
    }
  });
});
