import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { send } from './http.js';

type Line = Readonly<Record<string, unknown>>;

describe('contract.md 5: import and export of memory', () => {
  let service: Service;
  let workspace_id: string;
  before(async () => {
    service = await startService({ search: { training: false } });
    workspace_id = (await service.use<{ id: string }>('workspaces_create', { name: 'streams' })).id;
    const said = { workspace_id, title: 'Oil, not gas', content: 'Oil, because it keeps.' };
    await service.use('memory_create_event', { ...said, event_type: 'note' });
    const target = await service.use<{ id: string }>('memory_create_node', {
      ...said,
      node_type: 'decision',
    });
    const relations = [{ relation_type: 'implements', target_id: target.id }];
    await service.use('memory_create_node', { ...said, title: 'Buy oil', node_type: 'goal', relations });
  });
  after(() => service.stop());

  const exported = async (id: string, prefix = ''): Promise<Line[]> => {
    const reply = await fetch(`${service.url}${prefix}/v1/memory/export?workspace_id=${id}`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/x-ndjson/);
    return (await reply.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  const imported = async (id: string, body: string, prefix = '') => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const address = `${service.url}${prefix}/v1/memory/import?workspace_id=${id}`;
    const reply = await fetch(address, { method: 'POST', headers, body });
    assert.equal(reply.status, 200);
    const { success, data } = (await reply.json()) as { success: boolean; data: Line };
    assert.equal(success, true);
    return data;
  };

  it('GET /v1/memory/export: one record a line, versions and edges included, under both prefixes', async () => {
    const lines = await exported(workspace_id);
    assert.deepEqual(
      lines.map(({ record }) => record),
      ['event', 'node', 'version', 'node', 'version', 'edge', 'end'],
    );
    assert.deepEqual(await exported(workspace_id, '/api'), lines);
  });

  it('POST /v1/memory/import: {imported, skipped, errors:[{line, message}]}; what is there is skipped', async () => {
    const target = (await service.use<{ id: string }>('workspaces_create', { name: 'copy' })).id;
    const lines = (await exported(workspace_id)).map((line) => JSON.stringify(line));
    const body = [...lines.slice(0, 2), 'nonsense', ...lines.slice(2)].join('\n');
    const { imported: count, skipped, errors } = await imported(target, body);
    assert.deepEqual([count, skipped], [6, 0]);
    assert.deepEqual(errors, [{ line: 3, message: 'the line is not valid JSON' }]);
    const again = await imported(target, body, '/api');
    assert.deepEqual([again['imported'], again['skipped']], [0, 6]);
    const shape = (all: Line[]) =>
      all.map(({ record, title, content, created_at }) => ({ record, title, content, created_at }));
    assert.deepEqual(shape(await exported(target)), shape(await exported(workspace_id)));
  });

  it('faults are those of every route: 400, 404 and 415 in the envelope', async () => {
    const codeOf = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(`${service.url}${path}`, init);
      const { error } = (await reply.json()) as { error: { code: string } };
      return [reply.status, error.code];
    };
    const none = '01890000-0000-7000-8000-000000000000';
    const unknown = `/v1/memory/export?workspace_id=${none}`;
    assert.deepEqual(await codeOf(unknown), [404, 'NOT_FOUND']);
    const format = `/v1/memory/import?workspace_id=${workspace_id}&format=xml`;
    const lines = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: '{}' };
    assert.deepEqual(await codeOf(format, lines), [400, 'INVALID_ARGUMENT']);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const route = `/v1/memory/import?workspace_id=${workspace_id}`;
    assert.deepEqual(await codeOf(route, json), [415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('are tools of REST alone', async () => {
    for (const name of ['memory_import', 'memory_export']) {
      const { status } = await send(service.url, 'POST', `/api/v1/tools/${name}`, { body: { workspace_id } });
      assert.equal(status, 404);
    }
    const listed = await send<{ tools: { name: string }[] }>(
      service.url,
      'GET',
      '/api/v1/tools/list?toolset=complete',
    );
    assert.ok(listed.body.tools.every(({ name }) => !/memory_(?:im|ex)port/.test(name)));
  });
});
