import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_OWNER } from '@service-mcp/core';
import { startFilledService, type FilledService } from './filled-service.js';
import { NOBODY, PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, issuePath, rpc, send } from './http.js';

const MIB = 1024 * 1024;

describe('contract.md 1: conventions', () => {
  let service: FilledService;
  let collections: string[];
  before(async () => {
    service = await startFilledService();
    collections = ['/v1/workspaces', '/v1/projects', `/v1/projects/${service.projectId}/files`];
  });
  after(() => service.stop());

  const get = (path: string, headers = {}) => send(service.url, 'GET', path, { headers });

  it('wire: ids are UUIDv7, times RFC 3339 UTC with milliseconds, names snake_case', async () => {
    const { body } = await get(`/v1/projects/${service.projectId}`);
    const project = body.data ?? {};
    assert.match(String(project['id']), UUIDV7);
    for (const name of ['created_at', 'updated_at', 'indexed_at'])
      assert.match(String(project[name]), RFC3339_MS);
    for (const name of Object.keys(project)) assert.match(name, /^[a-z][a-z0-9_]*$/);
  });

  it('paging: page from 1, default 1; per_page 1 to 100, default 20', async () => {
    for (const path of collections) {
      const { body } = await get(path);
      assert.deepEqual([body.data?.['page'], body.data?.['per_page']], [1, 20], path);
      assert.deepEqual(Object.keys(body.data ?? {}).sort(), PAGE_FIELDS);
      for (const [query, field] of [
        ['page=0', '/page'],
        ['page=-1', '/page'],
        ['page=x', '/page'],
        ['per_page=0', '/per_page'],
        ['per_page=101', '/per_page'],
        ['per_page=1.5', '/per_page'],
      ] as const) {
        const refused = await get(`${path}?${query}`);
        assert.deepEqual([refused.status, issuePath(refused.body.error)], [400, field], `${path}?${query}`);
      }
      assert.equal((await get(`${path}?per_page=100`)).status, 200);
    }
  });

  it('paging: page_size is an alias of per_page; both with two values are refused', async () => {
    for (const path of collections) {
      assert.equal((await get(`${path}?page_size=1`)).body.data?.['per_page'], 1);
      assert.equal((await get(`${path}?page_size=2&per_page=2`)).body.data?.['per_page'], 2);
      assert.equal((await get(`${path}?page_size=2&per_page=3`)).status, 400);
      assert.equal(issuePath((await get(`${path}?page_size=101`)).body.error), '/per_page');
    }
  });

  it('both prefixes: every /v1 route is mounted under /api/v1 too, with the same handler', async () => {
    const said = { workspace_id: service.workspaceId, title: 'A lamp', content: 'It burns all night.' };
    const make = async (path: string, more: object) =>
      String((await send(service.url, 'POST', path, { body: { ...said, ...more } })).body.data?.['id']);
    const eventId = await make('/v1/memory/events', { event_type: 'note' });
    const nodeId = await make('/v1/memory/nodes', { node_type: 'fact' });
    const pending = async (kind: string) =>
      Number((await get(`/v1/memory/${kind}?indexing_status=pending`)).body.data?.['total']);
    while ((await pending('events')) + (await pending('nodes')) > 0) await delay(50);
    const module = { type: 'module', path: 'src/token.ts' };
    const values: Readonly<Record<string, unknown>> = {
      workspace_id: service.workspaceId,
      project_id: service.projectId,
      node_id: nodeId,
      query: 'lantern',
      input: 'lantern',
      path: module.path,
      target: module,
      from: module,
    };
    for (const { info } of service.host.registry.allowed) {
      const { method, path = '' } = info.http ?? {};
      if (!path.startsWith('/v1/') || info.effect !== 'read') continue;
      const address = path
        .replace(':workspace_id', service.workspaceId)
        .replace(':project_id', service.projectId)
        .replace(':event_id', eventId)
        .replace(':node_id', nodeId)
        .replace(':user_id', LOCAL_OWNER.userId);
      const required = (info.inputSchema['required'] ?? []) as readonly string[];
      const named = info.access.in === 'workspace' || info.name === 'ai_embeddings'; // needs it in a service of several
      const asked = [...required, ...(named ? ['workspace_id'] : [])];
      const args = Object.fromEntries(
        asked.filter((name) => !path.includes(`:${name}`)).map((name) => [name, values[name]]),
      );
      const sent = method === 'POST' ? { body: args } : {};
      const query =
        method === 'GET' ? `?${new URLSearchParams(args as Record<string, string>).toString()}` : ''; // as texts
      const [one, two] = [
        await send(service.url, method ?? '', `${address}${query}`, sent),
        await send(service.url, method ?? '', `/api${address}${query}`, sent),
      ];
      assert.deepEqual([one.status, two.status], [200, 200], `${address}: ${JSON.stringify(one.body)}`);
      if (info.http?.streams) continue; // lines, not an envelope: section 5
      const bare = info.http?.bareAt?.includes(`/api${path}`);
      const data = bare ? (two.body as unknown as Record<string, unknown>) : two.body.data;
      const [first, second] = [one.body.data, data].map((each) =>
        info.name === 'deployment_usage' // counts the calls that ask for it, too
          ? Object.keys({ ...each }).sort()
          : { ...each, took_ms: 0 },
      );
      assert.deepEqual(second, first, address);
    }
  });

  it('status: 201 where a record is created, 200 for queries by POST; DELETE answers {id, deleted: true}', async () => {
    const made = await send(service.url, 'POST', '/v1/workspaces', { body: { name: 'short-lived' } });
    assert.equal(made.status, 201);
    const workspace_id = made.body.data?.['id'];
    const project = await send(service.url, 'POST', '/v1/projects', { body: { workspace_id, name: 'p' } });
    assert.equal(project.status, 201);
    const patched = await send(service.url, 'PATCH', `/v1/projects/${String(project.body.data?.['id'])}`, {
      body: { name: 'q' },
    });
    assert.deepEqual([patched.status, patched.body.data?.['name']], [200, 'q']);
    const query = { body: { query: 'x', workspace_id } };
    assert.equal((await send(service.url, 'POST', '/v1/search/keyword', query)).status, 200);
    for (const [path, id] of [
      ['/v1/projects', project.body.data?.['id']],
      ['/v1/workspaces', workspace_id],
    ] as const) {
      const gone = await send(service.url, 'DELETE', `${path}/${String(id)}`);
      assert.deepEqual([gone.status, gone.body.data], [200, { id, deleted: true }]);
      assert.equal((await send(service.url, 'DELETE', `${path}/${String(id)}`)).status, 404);
    }
  });

  it('metadata: request_id echoes a valid X-Request-Id, else it is new; the header carries it too', async () => {
    const given = await get('/v1/workspaces', { 'x-request-id': 'trace-1.2_3' });
    assert.equal(given.body.metadata.request_id, 'trace-1.2_3');
    assert.equal(given.header('x-request-id'), 'trace-1.2_3');
    for (const bad of ['with space', 'x'.repeat(129), '<script>']) {
      const { body } = await get('/v1/workspaces', { 'x-request-id': bad });
      assert.match(body.metadata.request_id, /^[\w.-]{1,128}$/);
      assert.notEqual(body.metadata.request_id, bad);
    }
    const failed = await get('/v1/workspaces/x', { 'x-request-id': 'trace-2' });
    assert.equal(failed.body.metadata.request_id, 'trace-2');
  });

  it('search limit: 1 to 100, default 10', async () => {
    const search = (more: object) =>
      send(service.url, 'POST', '/v1/search/pattern', {
        body: { query: 'lantern', workspace_id: service.workspaceId, ...more },
      });
    for (const limit of [0, 101, 1.5, '5']) {
      const { status, body } = await search({ limit });
      assert.deepEqual([status, issuePath(body.error)], [400, '/limit']);
    }
    assert.equal((await search({ limit: 100 })).status, 200);
    const found = service.host.registry.allowed.find(({ info }) => info.name === 'search_pattern');
    assert.ok(found);
    const { limit } = found.info.inputSchema['properties'] as { limit: { default: number } };
    assert.equal(limit.default, 10);
  });

  /** A JSON body of so many bytes, of which the service understands the beginning. */
  const bodyOf = (bytes: number, start: object): string => {
    const text = JSON.stringify(start);
    return text + ' '.repeat(bytes - text.length);
  };

  it('body size: 1 MiB, over it 413 PAYLOAD_TOO_LARGE on REST, compatibility routes and JSON-RPC of other methods', async () => {
    const start = { query: 'lantern', workspace_id: service.workspaceId };
    for (const path of ['/v1/search/keyword', '/api/v1/tools/search_keyword']) {
      const fits = await send(service.url, 'POST', path, { body: bodyOf(MIB, start) });
      assert.equal(fits.status, 200, path);
      const over = await send(service.url, 'POST', path, { body: bodyOf(MIB + 1, start) });
      assert.deepEqual([over.status, over.body.error?.code], [413, 'PAYLOAD_TOO_LARGE'], path);
    }
    const over = await send(service.url, 'POST', '/api/v1/initialize', { body: bodyOf(MIB + 1, {}) });
    assert.equal(over.status, 413);

    const call = { name: 'search_keyword', arguments: start };
    const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call };
    for (const [path, body] of [
      ['/api/v1/tools/call', call],
      ['/api/v1/rpc', message],
      ['/mcp', message],
    ] as const) {
      const headers = { accept: 'application/json, text/event-stream' };
      const fits = await send(service.url, 'POST', path, { body: bodyOf(MIB, body), headers });
      assert.deepEqual([fits.status, fits.text.includes('lantern')], [200, true], path);
      const large = await send(service.url, 'POST', path, { body: bodyOf(MIB + 1, body), headers });
      assert.deepEqual([large.status, large.text.includes(`over ${MIB} bytes`)], [413, true], path);
      assert.equal(large.text.includes('-32013'), body === message, path);
    }
  });

  it('body size: 16 MiB on file ingest, over it 413; JSON-RPC keeps the status', async () => {
    const start = { files: [{ path: 'src/token.ts', content: 'x' }] };
    const path = `/v1/projects/${service.projectId}/files/ingest`;
    const fits = await send(service.url, 'POST', path, { body: bodyOf(16 * MIB, start) });
    assert.deepEqual([fits.status, fits.body.data?.['received']], [200, 1]);
    const over = await send(service.url, 'POST', path, { body: bodyOf(16 * MIB + 1, start) });
    assert.deepEqual([over.status, over.body.error?.code], [413, 'PAYLOAD_TOO_LARGE']);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const rpcOver = await send(service.url, 'POST', '/api/v1/rpc', { body: bodyOf(16 * MIB + 1, message) });
    assert.equal(rpcOver.status, 413);
    assert.match(rpcOver.text, /-32013/);
    await service.indexed(service.projectId);
  });

  it('error.details of INVALID_ARGUMENT: {issues: [{path, message}]}', async () => {
    const body = { query: '', workspace_id: service.workspaceId, limit: 1000, colour: 'red' };
    const { body: reply } = await send(service.url, 'POST', '/v1/search/keyword', { body });
    assert.ok(reply.error);
    const { issues, ...rest } = reply.error.details as { issues: { path: string; message: string }[] };
    assert.deepEqual(rest, {});
    assert.deepEqual(issues.map(({ path }) => path).sort(), ['/colour', '/limit', '/query']);
    for (const issue of issues) assert.deepEqual(Object.keys(issue).sort(), ['message', 'path']);
    assert.equal(issues.find(({ path }) => path === '/limit')?.message, 'must be <= 100');
  });

  it('closed objects: an unknown field is INVALID_ARGUMENT, and the message names it and a near one', async () => {
    const { status, body } = await get('/v1/workspaces?per_pag=2');
    assert.deepEqual([status, issuePath(body.error)], [400, '/per_pag']);
    assert.match(body.error?.message ?? '', /per_pag\b.*per_page/);
  });

  it('scope: a display name is INVALID_ARGUMENT and the message says which tool lists the ids', async () => {
    for (const [path, field, tool] of [
      ['/v1/workspaces/first', '/workspace_id', 'workspaces_list'],
      ['/v1/projects/lamps', '/project_id', 'projects_list'],
      ['/v1/projects?workspace_id=first', '/workspace_id', 'workspaces_list'],
    ] as const) {
      const { status, body } = await get(path);
      assert.deepEqual([status, body.error?.code, issuePath(body.error)], [400, 'INVALID_ARGUMENT', field]);
      assert.match(body.error?.message ?? '', new RegExp(tool));
    }
  });

  it('scope: workspace_id left out is filled with the only workspace, and refused by name with several', async () => {
    const search = () => send(service.url, 'POST', '/v1/search/keyword', { body: { query: 'refreshToken' } });
    const several = await search();
    assert.deepEqual([several.status, issuePath(several.body.error)], [400, '/workspace_id']);
    assert.match(several.body.error?.message ?? '', /workspaces_list/);
    await service.use('workspaces_delete', { workspace_id: service.otherId });
    const only = await search();
    assert.equal(only.status, 200);
    assert.ok(dataOf<{ results: object[] }>(only.body).results.length > 0);
    const { items } = await service.use<{ items: object[] }>('projects_list');
    assert.equal(items.length, 1, 'a list without it answers over every workspace');
  });

  it('offsets: UTF-16 code units inside content; lines and columns from 1', async () => {
    const { results } = await service.use<{
      results: { path: string; content: string; start_line: number; highlights: Highlight[] }[];
    }>('search_pattern', { query: 'refreshToken', filters: { path_glob: 'docs/*.md' } });
    const [found] = results;
    const [highlight] = found?.highlights ?? [];
    assert.ok(found && highlight);
    assert.equal(found.content.slice(highlight.start, highlight.end), 'refreshToken');
    assert.deepEqual([found.path, highlight.line, highlight.column], ['docs/smile.md', 3, 11]);
  });

  it('text: a result is truncated at content_max_chars (default 800, 50 to 10000) and says so', async () => {
    const search = (more: object) =>
      send(service.url, 'POST', '/v1/search/keyword', { body: { query: 'lantern section', ...more } });
    const lengths = async (more: object) =>
      dataOf<{ results: { content: string; truncated: boolean }[] }>((await search(more)).body).results.map(
        ({ content, truncated }) => [content.length, truncated] as const,
      );
    for (const [most, more] of [
      [800, {}],
      [50, { content_max_chars: 50 }],
    ] as const) {
      const seen = await lengths(more);
      assert.ok(seen.some(([, truncated]) => truncated));
      assert.ok(
        seen.every(([length]) => length <= most),
        JSON.stringify(seen),
      );
    }
    assert.ok((await lengths({ content_max_chars: 10_000 })).every(([, truncated]) => !truncated));
    for (const content_max_chars of [49, 10_001]) {
      assert.equal(issuePath((await search({ content_max_chars })).body.error), '/content_max_chars');
    }
  });

  it('NOT_FOUND: absent records say which tool lists those that exist', async () => {
    const { body } = await rpc(service.url, 'tools/call', {
      name: 'projects_index_status',
      arguments: { project_id: NOBODY },
    });
    assert.equal(body.error?.data.code, 'NOT_FOUND');
    assert.match(body.error?.message ?? '', /projects_list/);
  });
});

interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}
