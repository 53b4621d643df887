import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type ServiceProcess } from '../service-process.js';
import { serveGateway, type Served } from './support/serve-gateway.js';

const INITIALIZE = {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'a program', version: '1' },
};

describe('gateway: every route of interface.md 4.4', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let gateway: Served;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-gateway-'));
    service = await startService(dataDir);
    gateway = await serveGateway({ SERVICE_API_URL: service.url });
  });
  after(async () => {
    await gateway.stop();
    await service.end();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('/mcp lists the default tools of the service, the named endpoints all tools', async () => {
    const direct = await fetch(`${service.url}/api/v1/tools/list`);
    const { tools: unasked } = (await direct.json()) as { tools: unknown[] };
    const _meta = { 'service-mcp/whole-schemas': true };
    const generic = await gateway.ask('tools/list', { _meta });
    assert.deepEqual(generic.body.result.tools, unasked);
    for (const path of ['/agent-a', '/agent-b', '/client']) {
      const { body } = await gateway.ask('tools/list', {}, {}, path);
      const names = (body.result.tools as Array<{ name: string }>).map(({ name }) => name);
      assert.ok(names.length > unasked.length, path);
      assert.ok(names.includes('workspaces_create'), path);
    }
  });

  it('initialize keeps the version asked for and gives a session, good for calls', async () => {
    const { status, headers, body } = await gateway.ask('initialize', INITIALIZE);
    assert.equal(status, 200);
    assert.equal(body.result.protocolVersion, '2024-11-05');
    assert.match(body.result.instructions, /Call help/);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const called = await gateway.ask(
      'tools/call',
      { name: 'help', arguments: { action: 'version' } },
      session,
    );
    assert.equal(called.body.result.structuredContent.server, 'service-mcp');
    assert.equal((await gateway.ask('ping', {}, { 'mcp-session-id': 'no-such' })).status, 404);
  });

  it('health names the service behind it', async () => {
    for (const path of ['/health', '/api/v1/health']) {
      const { status, body } = await gateway.get(path);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), [
        'jwt_verification',
        'server',
        'status',
        'upstream',
        'version',
      ]);
      assert.equal(body.status, 'ok');
      assert.deepEqual(body.upstream, { url: service.url, status: 'reachable' });
      assert.equal(body.jwt_verification, 'upstream');
    }
  });

  it('metrics count requests by route and status, and say that the service is up', async () => {
    await gateway.post('/api/v1/tools/help', { action: 'version' });
    const { status, body } = await gateway.get('/metrics');
    assert.equal(status, 200);
    assert.match(body, /^service_mcp_upstream_up 1$/m);
    const counted = (status: number) =>
      new RegExp(`^service_mcp_gateway_seconds_count\\{route="/api/v1",status="${status}"\\} [1-9]`, 'm');
    assert.match(body, counted(200));
    await gateway.post('/api/v1/tools/no_such_tool', {});
    assert.match((await gateway.get('/metrics')).body, counted(404));
  });

  it('discovery names the gateway as the resource and the service as the authorization server', async () => {
    for (const path of ['', '/mcp', '/agent-a', '/agent-b', '/client']) {
      const { status, body } = await gateway.get(`/.well-known/oauth-protected-resource${path}`);
      assert.equal(status, 200);
      assert.equal(body.resource, `${gateway.url}${path}`);
      assert.deepEqual(body.authorization_servers, [service.url]);
    }
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { status, body } = await gateway.get(`/.well-known/${name}`);
      assert.equal(status, 200);
      assert.equal(body.issuer, service.url);
      assert.equal(body.token_endpoint, `${service.url}/api/v1/oauth/token`);
      assert.equal(body.registration_endpoint, `${service.url}/api/v1/oauth/register`);
    }
  });

  it('/api/v1/rpc knows initialize, tools/list, tools/call and notifications, one object a request', async () => {
    const rpc = (body: unknown) => gateway.post('/api/v1/rpc', body);
    const opened = await rpc({ jsonrpc: '2.0', id: 7, method: 'initialize', params: INITIALIZE });
    assert.equal(opened.body.id, 7);
    assert.equal(opened.body.result.protocolVersion, '2024-11-05');
    const notified = await rpc({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.equal(notified.status, 202);
    const listed = await rpc({ jsonrpc: '2.0', id: 8, method: 'tools/list', params: {} });
    assert.ok(listed.body.result.tools.length > 0);
    const params = { name: 'help', arguments: { action: 'version' } };
    const called = await rpc({ jsonrpc: '2.0', id: 9, method: 'tools/call', params });
    assert.equal(called.body.result.structuredContent.server, 'service-mcp');
    assert.equal((await rpc([])).body.error.code, -32600);
    assert.equal((await rpc('{')).body.error.code, -32700);
    assert.equal((await rpc({ jsonrpc: '2.0', id: 1, method: 'nope' })).body.error.code, -32601);
  });

  it('/api/v1/initialize, tools/list, tools/call and tools/:name', async () => {
    const opened = await gateway.post('/api/v1/initialize', INITIALIZE);
    assert.equal(opened.body.session_id, opened.headers.get('mcp-session-id'));
    const { body: list } = await gateway.get('/api/v1/tools/list');
    const names = (list.tools as Array<{ name: string }>).map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    const made = await gateway.post('/api/v1/tools/call', {
      name: 'workspaces_create',
      arguments: { name: 'By the gateway' },
    });
    assert.equal(made.status, 200);
    assert.equal(made.body.structuredContent.name, 'By the gateway');
    assert.equal(made.body.isError, false);
    assert.equal(made.body.content.length, 1, 'the data is told once as text');
    const read = await gateway.post('/api/v1/tools/workspaces_get', {
      workspace_id: made.body.structuredContent.id,
    });
    assert.equal(read.body.structuredContent.name, 'By the gateway');
    const direct = await service.call<{ name: string }>('workspaces_get', {
      workspace_id: made.body.structuredContent.id,
    });
    assert.equal(direct.name, 'By the gateway');
  });

  it('/api/v1/stream passes the change events on, and replays from Last-Event-ID', async () => {
    const read = async (headers: Record<string, string>, until: RegExp): Promise<string> => {
      let text = '';
      try {
        const response = await fetch(`${gateway.url}/api/v1/stream?types=workspace.created`, {
          headers,
          signal: AbortSignal.timeout(8000),
        });
        assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
        for await (const part of response.body ?? []) {
          text += Buffer.from(part).toString();
          if (until.test(text)) break;
        }
      } catch (thrown) {
        throw new Error(`after ${JSON.stringify(headers)} and ${JSON.stringify(text)}`, { cause: thrown });
      }
      return text;
    };
    const opened = await read({}, /\n\n/);
    const id = /^id: (.+)$/m.exec(opened)?.[1] ?? '';
    assert.match(opened, /event: stream\.opened/);
    await service.call('workspaces_create', { name: 'While nobody listened' });
    const replayed = await read({ 'last-event-id': id }, /While nobody listened/);
    assert.match(replayed, /"name":"While nobody listened"/);
    const refused = await gateway.get('/api/v1/stream?types=nonsense');
    assert.equal(refused.status, 400);
    assert.match(refused.body.error.message, /not an event type/);
  });

  it('a request selects tools by header and query, and the service refuses unknown values', async () => {
    const light = await gateway.ask('tools/list', {}, { 'x-service-toolset': 'light' });
    const shown = light.body.result.tools as Array<{ name: string }>;
    assert.ok(shown.some(({ name }) => name === 'help'));
    assert.ok(!shown.some(({ name }) => name === 'files_read'));
    const readOnly = await gateway.get('/api/v1/tools/list?toolset=complete&readonly=true');
    const hints = (readOnly.body.tools as Array<{ annotations: { readOnlyHint: boolean } }>).map(
      ({ annotations }) => annotations.readOnlyHint,
    );
    assert.ok(hints.length > 5 && hints.every(Boolean));
    const unknown = await gateway.get('/api/v1/tools/list?toolset=nonsense');
    assert.equal(unknown.status, 400);
    assert.match(
      unknown.body.error.message,
      /"nonsense" is not a level, toolset or tool here\. Known: light, standard, .* and \d+ more\.$/,
    );
  });
});
