import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eachEndpoint } from './each-endpoint.js';
import { INITIALIZE, NOBODY, issuePath, rpc, send } from './http.js';

interface Plain {
  readonly tools?: { readonly name: string; readonly inputSchema: object }[];
  readonly content?: { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: object };
  readonly session_id?: string;
  readonly protocolVersion?: string;
}

describe('interface.md 4.4: streamable MCP and compatibility routes', () =>
  eachEndpoint((endpoint, isGateway) => {
    const post = (path: string, body?: unknown, headers = {}) =>
      send<Plain>(endpoint.url, 'POST', path, { ...(body !== undefined && { body }), headers });

    for (const path of ['/mcp', '/agent-a', '/agent-b', '/client']) {
      const surface = path === '/mcp' ? 'the configured tool surface' : 'the complete tool surface';
      it(`4.4 POST ${path}: MCP Streamable HTTP with ${surface}`, async () => {
        const client = new Client({ name: 'spec', version: '1' });
        await client.connect(new StreamableHTTPClientTransport(new URL(`${endpoint.url}${path}`)));
        const names = new Set((await client.listTools()).tools.map(({ name }) => name));
        assert.ok(names.has('workspaces_list'));
        assert.equal(names.has('workspaces_delete'), path !== '/mcp');
        await client.close();
      });
    }

    it('4.4 /agent-a, /agent-b, /client are not separate data stores', async () => {
      const { id } = await endpoint.service.use<{ id: string }>('workspaces_create', { name: 'shared' });
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'workspaces_get', arguments: { workspace_id: id } },
      };
      for (const path of ['/agent-a', '/agent-b', '/client']) {
        const reply = await send(endpoint.url, 'POST', path, {
          body,
          headers: { accept: 'application/json, text/event-stream' },
        });
        assert.match(reply.text, new RegExp(id), path);
      }
      await endpoint.service.use('workspaces_delete', { workspace_id: id });
    });

    for (const path of ['/health', '/api/v1/health']) {
      it(`4.4 GET ${path}: health check`, async () => {
        const { status, body } = await send<Record<string, unknown>>(endpoint.url, 'GET', path);
        assert.equal(status, 200);
        const { version } = endpoint.service.host.deployment;
        const { jwt_verification, ...rest } = body;
        const upstream = isGateway ? { url: endpoint.service.url, status: 'reachable' } : null;
        assert.deepEqual(rest, { status: 'ok', server: 'service-mcp', version, upstream });
        assert.ok(jwt_verification === 'local' || jwt_verification === 'upstream');
      });
    }

    it('4.4 GET /ready (contract.md 8): 200 when storage answers', async () => {
      const { status, body } = await send<Record<string, unknown>>(endpoint.url, 'GET', '/ready');
      assert.deepEqual([status, body['status']], [200, 'ready']);
    });

    it('4.4 GET /metrics: Prometheus metrics', async () => {
      const { status, text, header } = await send(endpoint.url, 'GET', '/metrics');
      assert.equal(status, 200);
      assert.match(header('content-type') ?? '', /^text\/plain; version=/);
      const metric = isGateway ? 'service_mcp_gateway_seconds' : 'service_mcp_call_duration_seconds';
      assert.match(text, new RegExp(`^# TYPE ${metric} histogram$`, 'm'));
    });

    it('4.4 POST /api/v1/rpc: JSON-RPC endpoint', async () => {
      const { status, body } = await rpc(endpoint.url, 'tools/list', {});
      assert.equal(status, 200);
      assert.ok(Array.isArray(body.result?.['tools']));
    });

    it('4.4 POST /api/v1/initialize: the initialize result and session_id, also in the header; an empty body will do', async () => {
      for (const sent of [INITIALIZE, {}, undefined]) {
        const { status, body, header } = await post('/api/v1/initialize', sent);
        assert.equal(status, 200);
        assert.equal(body.protocolVersion, sent && 'protocolVersion' in sent ? '2024-11-05' : '2025-11-25');
        assert.ok(body.session_id);
        assert.equal(header('mcp-session-id'), body.session_id);
      }
    });

    it('4.4 a session of initialize is retained on later requests; an unknown one is 404 UNKNOWN_SESSION', async () => {
      const { body } = await post('/api/v1/initialize', {});
      const own = { 'mcp-session-id': body.session_id ?? '' };
      assert.equal((await post('/api/v1/tools/help', {}, own)).status, 200);
      const { status, body: refused } = await post('/api/v1/tools/help', {}, { 'mcp-session-id': NOBODY });
      assert.deepEqual([status, refused.error?.code], [404, 'UNKNOWN_SESSION']);
    });

    it('4.4 GET /api/v1/tools/list: the exposed tools, sorted by name', async () => {
      const { status, body } = await send<Plain>(endpoint.url, 'GET', '/api/v1/tools/list');
      assert.equal(status, 200);
      const names = (body.tools ?? []).map(({ name }) => name);
      assert.deepEqual(names, [...names].sort());
      assert.ok(names.includes('help'));
      for (const tool of body.tools ?? []) assert.equal(typeof tool.inputSchema, 'object');
    });

    it('4.4 POST /api/v1/tools/call: the name is taken from the body; tool and input are aliases', async () => {
      const args = { action: 'version' };
      for (const sent of [
        { name: 'help', arguments: args },
        { tool: 'help', input: args },
      ]) {
        const { status, body } = await post('/api/v1/tools/call', sent);
        assert.equal(status, 200);
        assert.equal(body.isError, false);
        assert.equal(body.structuredContent?.['version'], endpoint.service.host.deployment.version);
        assert.deepEqual(JSON.parse(body.content?.[0]?.text ?? ''), body.structuredContent);
      }
    });

    it('4.4 POST /api/v1/tools/:name: calls the tool named in the path', async () => {
      const { status, body } = await post('/api/v1/tools/help', { action: 'version' });
      assert.equal(status, 200);
      assert.equal(body.isError, false);
      assert.equal(body.structuredContent?.['server'], 'service-mcp');
    });

    it('4.4 failures of tools/call and tools/:name: the HTTP status of the table with {error}', async () => {
      const wrong = await post('/api/v1/tools/help', { action: 'dance' });
      assert.deepEqual([wrong.status, wrong.body.error?.code], [400, 'INVALID_ARGUMENT']);
      assert.deepEqual(Object.keys(wrong.body), ['error']);
      assert.equal(issuePath(wrong.body.error), '/action');
      const unknown = await post('/api/v1/tools/call', { name: 'nothing' });
      assert.deepEqual([unknown.status, unknown.body.error?.code], [404, 'UNKNOWN_TOOL']);
      const nameless = await post('/api/v1/tools/call', { arguments: {} });
      assert.deepEqual([nameless.status, issuePath(nameless.body.error)], [400, '/name']);
    });
  }));
