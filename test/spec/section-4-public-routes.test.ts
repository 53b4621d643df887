import assert from 'node:assert/strict';
import { startFilledService, type FilledService } from './filled-service.js';
import { PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, issuePath, send } from './http.js';

describe('interface.md 4.1: public API routes', () => {
  let service: FilledService;
  before(async function () {
    this.timeout(30_000);
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
  before(async function () {
    this.timeout(30_000);
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
