import assert from 'node:assert/strict';
import { startFilledService, type FilledService } from './filled-service.js';
import {
  INITIALIZE,
  PAGE_FIELDS,
  RFC3339_MS,
  dataOf,
  resultOf,
  rpc,
  send,
  type Envelope,
  type Reply,
} from './http.js';

describe('interface.md 2: envelope and page shape', () => {
  let service: FilledService;
  let success: Reply;
  let failure: Reply;
  before(async () => {
    service = await startFilledService();
    success = await send(service.url, 'GET', `/v1/workspaces/${service.workspaceId}`);
    failure = await send(service.url, 'GET', '/v1/workspaces/no-id');
  });
  after(() => service.stop());

  it('2, envelope: its fields are success, data, error and metadata, and no others', () => {
    for (const { body } of [success, failure]) {
      assert.deepEqual(Object.keys(body).sort(), ['data', 'error', 'metadata', 'success']);
    }
  });

  it('2, envelope `success`: true on success, false on failure', () => {
    assert.equal(success.body.success, true);
    assert.equal(failure.body.success, false);
  });

  it('2, envelope `data`: the result; null on failure', () => {
    assert.equal(success.body.data?.['id'], service.workspaceId);
    assert.equal(failure.body.data, null);
  });

  it('2, envelope `error`: null on success; on failure code, message and optional details', () => {
    assert.equal(success.body.error, null);
    const { code, message, details } = failure.body.error ?? {};
    assert.equal(code, 'INVALID_ARGUMENT');
    assert.equal(typeof message, 'string');
    assert.equal(typeof details, 'object');
  });

  it('2, envelope `metadata`: request_id string, timestamp string, duration_ms integer, version string', () => {
    for (const { body } of [success, failure]) {
      const { request_id, timestamp, duration_ms, version } = body.metadata;
      assert.deepEqual(Object.keys(body.metadata).sort(), [
        'duration_ms',
        'request_id',
        'timestamp',
        'version',
      ]);
      assert.ok(request_id.length > 0);
      assert.match(timestamp, RFC3339_MS);
      assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
      assert.equal(version, service.host.deployment.version);
    }
  });

  for (const [field, type] of [
    ['items', 'array'],
    ['total', 'integer'],
    ['page', 'integer'],
    ['per_page', 'integer'],
    ['has_next', 'boolean'],
    ['has_prev', 'boolean'],
  ] as const) {
    it(`2, page shape \`${field}\`: ${type}`, async () => {
      const { body } = await send(service.url, 'GET', '/v1/workspaces');
      const value = body.data?.[field];
      if (type === 'array') assert.ok(Array.isArray(value));
      else if (type === 'integer') assert.ok(Number.isInteger(value));
      else assert.equal(typeof value, type);
    });
  }

  it('2, page shape: has_next and has_prev tell where there is more', async () => {
    const page = async (n: number) =>
      (await send(service.url, 'GET', `/v1/workspaces?per_page=1&page=${n}`)).body.data;
    const [first, last, beyond] = [await page(1), await page(2), await page(3)];
    assert.deepEqual([first?.['has_prev'], first?.['has_next'], first?.['total']], [false, true, 2]);
    assert.deepEqual([last?.['has_prev'], last?.['has_next'], last?.['total']], [true, false, 2]);
    assert.deepEqual([beyond?.['items'], beyond?.['has_next'], beyond?.['total']], [[], false, 2]);
  });

  for (const path of ['/api/v1/workspaces', '/api/v1/projects']) {
    it(`2, bare pages: GET ${path} returns the page shape directly, without the envelope`, async () => {
      const { status, body } = await send<Record<string, unknown>>(service.url, 'GET', path);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), PAGE_FIELDS);
    });
  }

  it('2, other collections: the same page fields inside data', async () => {
    const files = `/projects/${service.projectId}/files`;
    for (const path of ['/v1/workspaces', '/v1/projects', `/v1${files}`, `/api/v1${files}`]) {
      const { body } = await send(service.url, 'GET', path);
      assert.equal(body.success, true, path);
      assert.deepEqual(Object.keys(body.data ?? {}).sort(), PAGE_FIELDS, path);
    }
  });

  it('2, client normalization: a body with a boolean success is read from data and error, any other is the result', async () => {
    const read = async (path: string): Promise<{ result?: unknown; failure?: unknown }> => {
      const { status, body } = await send<Envelope & { items?: unknown }>(service.url, 'GET', path);
      if (status < 200 || status > 299) return { failure: body.error };
      if (typeof body.success === 'boolean')
        return body.success ? { result: body.data } : { failure: body.error };
      return { result: body };
    };
    const [bare, enveloped] = [await read('/api/v1/workspaces'), await read('/v1/workspaces')];
    assert.deepEqual(bare.result, enveloped.result);
    assert.ok((await read('/api/v1/workspaces?page=0')).failure);
    assert.ok((await read('/api/v1/nothing')).failure);
  });

  it('2, MCP results: readable text and structuredContent', async () => {
    const { body } = await rpc(service.url, 'tools/call', { name: 'help', arguments: { action: 'version' } });
    const { content, structuredContent } = body.result as {
      content: { type: string; text: string }[];
      structuredContent: object;
    };
    assert.equal(content[0]?.type, 'text');
    assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent);
  });

  it('2, resource Workspace: identified by id; has list, create, get and overview views', async () => {
    const base = '/v1/workspaces';
    const made = await send(service.url, 'POST', base, { body: { name: 'views' } });
    const { id } = dataOf<{ id: string }>(made.body);
    assert.equal((await send(service.url, 'GET', `${base}/${id}`)).body.data?.['name'], 'views');
    assert.ok((await send(service.url, 'GET', `${base}/${id}/overview`)).body.data?.['counts']);
    const { items } = dataOf<{ items: { id: string }[] }>((await send(service.url, 'GET', base)).body);
    assert.ok(items.some((item) => item.id === id));
    await send(service.url, 'DELETE', `${base}/${id}`);
  });

  it('2, resource Project: listable; the list is the page shape', async () => {
    const { body } = await send(service.url, 'GET', `/v1/projects?workspace_id=${service.workspaceId}`);
    assert.deepEqual(Object.keys(body.data ?? {}).sort(), PAGE_FIELDS);
    assert.equal(body.data?.['total'], 1);
  });

  it('2, resource MCP session: an identifier returned by initialization, sent on later requests', async () => {
    const opened = await rpc(service.url, 'initialize', INITIALIZE);
    const session = opened.header('mcp-session-id') ?? '';
    assert.ok(session.length > 0);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const headers = { 'mcp-session-id': session };
    assert.equal((await send(service.url, 'POST', '/api/v1/rpc', { body, headers })).status, 200);
  });

  it('2, resource Tool: a named operation whose schema tools/list returns', async () => {
    const { body } = await rpc(service.url, 'tools/list', {});
    const { tools } = resultOf<{ tools: { name: string; inputSchema: { type: string } }[] }>(body);
    for (const { name, inputSchema } of tools) assert.equal(inputSchema.type, 'object', name);
  });
});
