import assert from 'node:assert/strict';
import { startFilledService, type FilledService } from './filled-service.js';
import {
  PAGE_FIELDS,
  RFC3339_MS,
  UUIDV7,
  dataOf,
  issuePath,
  resultOf,
  rpc,
  send,
  type RpcReply,
} from './http.js';

describe('interface.md 4.1: public API routes', () => {
  let service: FilledService;
  before(async () => {
    service = await startFilledService();
  });
  after(() => service.stop());

  it('4.1 GET /v1/workspaces: list workspaces', async () => {
    const { status, body } = await send(service.url, 'GET', '/v1/workspaces');
    assert.equal(status, 200);
    const names = dataOf<{ items: { name: string }[] }>(body)
      .items.map(({ name }) => name)
      .sort();
    assert.deepEqual(names, ['first', 'second']);
  });

  it('4.1 POST /v1/workspaces: create a workspace', async () => {
    const sent = { name: 'third', description: 'made by a test' };
    const { status, body } = await send(service.url, 'POST', '/v1/workspaces', { body: sent });
    assert.equal(status, 201);
    const { id, name, description, created_at, updated_at, role, ...rest } = body.data ?? {};
    assert.match(String(id), UUIDV7);
    assert.match(String(created_at), RFC3339_MS);
    assert.match(String(updated_at), RFC3339_MS);
    assert.deepEqual({ name, description }, sent);
    assert.equal(role, 'owner');
    assert.deepEqual(rest, {});
    await service.use('workspaces_delete', { workspace_id: id });
  });

  it('4.1 GET /v1/workspaces/:id: get workspace details', async () => {
    const { status, body } = await send(service.url, 'GET', `/v1/workspaces/${service.workspaceId}`);
    assert.equal(status, 200);
    assert.deepEqual([body.data?.['id'], body.data?.['name']], [service.workspaceId, 'first']);
  });

  it('4.1 GET /v1/workspaces/:id/overview: get workspace summary', async () => {
    const path = `/v1/workspaces/${service.workspaceId}/overview`;
    const { status, body } = await send(service.url, 'GET', path);
    assert.equal(status, 200);
    const { workspace, counts, indexing, languages } = body.data as {
      workspace: { id: string };
      counts: { projects: number; files: number };
      indexing: { indexed: number };
      languages: { language: string; files: number }[];
    };
    assert.equal(workspace.id, service.workspaceId);
    assert.deepEqual([counts.projects, counts.files, indexing.indexed], [1, 4, 4]);
    assert.deepEqual(languages.find(({ language }) => language === 'markdown')?.files, 2);
  });

  for (const [mode, query] of [
    ['semantic', 'lantern nights'],
    ['hybrid', 'refresh token'],
    ['keyword', 'refreshToken'],
    ['pattern', 'refresh\\w+\\('],
  ] as const) {
    it(`4.1 POST /v1/search/${mode}`, async () => {
      const body = { query, workspace_id: service.workspaceId, limit: 2 };
      const reply = await send(service.url, 'POST', `/v1/search/${mode}`, { body });
      assert.equal(reply.status, 200);
      const { results, mode: answered } = reply.body.data as { results: { id: string }[]; mode: string };
      assert.equal(answered, mode);
      assert.ok(results.length > 0 && results.length <= 2);
    });
  }

  it('4.1 POST /v1/ai/embeddings: generate embeddings (contract.md 7), over JSON-RPC too, and not over MCP', async () => {
    const workspace_id = service.workspaceId;
    const input = ['a lantern', 'refresh the token'];
    const reply = await send(service.url, 'POST', '/v1/ai/embeddings', { body: { input, workspace_id } });
    const { model, dimensions, embeddings, usage, ...more } = dataOf<{
      model: string;
      dimensions: number;
      embeddings: number[][];
      usage: { tokens: number };
    }>(reply.body);
    assert.equal(reply.status, 200);
    assert.match(model, /./);
    assert.deepEqual(
      embeddings.map((vector) => vector.length),
      [dimensions, dimensions],
    );
    assert.ok(embeddings.flat().every(Number.isFinite) && usage.tokens > 0);
    assert.deepEqual(Object.keys(more).sort(), ['space_id', 'warnings']);
    const one = { name: 'ai_embeddings', arguments: { input: input[1], workspace_id, kind: 'query' } };
    const { structuredContent } = resultOf<{ structuredContent: { embeddings: number[][] } }>(
      (await rpc(service.url, 'tools/call', one)).body,
    );
    assert.deepEqual(structuredContent.embeddings, [embeddings[1]]);
    const unplaced = await send(service.url, 'POST', '/v1/ai/embeddings', { body: { input } });
    assert.deepEqual([unplaced.status, issuePath(unplaced.body.error)], [400, '/workspace_id']);
    for (const bad of [{}, { input: [] }, { input: Array(257).fill('x') }, { input: 'x', kind: 'text' }])
      assert.equal(
        (await send(service.url, 'POST', '/v1/ai/embeddings', { body: { workspace_id, ...bad } })).status,
        400,
      );
    const overMcp = await send<RpcReply>(service.url, 'POST', '/agent-a', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: one },
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    });
    assert.match(overMcp.text, /ai_embeddings/);
    assert.match(overMcp.text, /"code":-32602/, 'an unknown tool');
  });

  it('4: bodies are JSON and say so: another Content-Type is 415, no JSON is 400', async () => {
    const path = '/v1/search/keyword';
    const body = JSON.stringify({ query: 'x', workspace_id: service.workspaceId });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await send(service.url, 'POST', path, { body, headers: { 'content-type': type } });
      assert.deepEqual([reply.status, reply.body.error?.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    const broken = await send(service.url, 'POST', path, { body: '{"query":' });
    assert.deepEqual([broken.status, broken.body.error?.code], [400, 'PARSE_ERROR']);
  });

  for (const [field, wrong] of [
    ['query', 7],
    ['workspace_id', 7],
    ['limit', 'many'],
  ] as const) {
    it(`4.1 semantic search request body: \`${field}\` has its type`, async () => {
      const good = { query: 'lantern', workspace_id: service.workspaceId, limit: 1 };
      const path = '/v1/search/semantic';
      assert.equal((await send(service.url, 'POST', path, { body: good })).status, 200);
      const { status, body } = await send(service.url, 'POST', path, { body: { ...good, [field]: wrong } });
      assert.equal(status, 400);
      assert.equal(issuePath(body.error), `/${field}`);
    });
  }
});

describe('interface.md 4.2: backend REST routes', () => {
  let service: FilledService;
  before(async () => {
    service = await startFilledService();
  });
  after(() => service.stop());

  for (const path of ['/api/v1/workspaces', '/api/v1/projects']) {
    it(`4.2 GET ${path}: page shape without envelope; its failures carry the envelope`, async () => {
      const page = await send<Record<string, unknown>>(service.url, 'GET', path);
      assert.deepEqual(Object.keys(page.body).sort(), PAGE_FIELDS);
      const failed = await send(service.url, 'GET', `${path}?per_page=1000`);
      assert.deepEqual([failed.status, failed.body.success, failed.body.data], [400, false, null]);
      assert.equal(issuePath(failed.body.error), '/per_page');
    });
  }
});
