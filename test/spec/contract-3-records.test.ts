import assert from 'node:assert/strict';
import { FILES, startFilledService, type FilledService } from './filled-service.js';
import { NOBODY, dataOf, send } from './http.js';

const keys = (record: object): string[] => Object.keys(record).sort();
const sorted = (fields: string): string[] => fields.split(' ').sort();

const WORKSPACE = sorted('id name description created_at updated_at role');
const PROJECT = sorted(
  'id workspace_id name description repository_url created_at updated_at file_count indexed_at indexing_status',
);
const FILE = sorted('path language bytes sha256 lines indexing_status error indexed_at');

describe('contract.md 3: workspaces, projects, files', () => {
  let service: FilledService;
  let project: string;
  before(async () => {
    service = await startFilledService();
    project = `/v1/projects/${service.projectId}`;
  });
  after(() => service.stop());

  const ask = async <T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T> =>
    dataOf<T>((await send(service.url, method, path, body && { body })).body);

  it('a workspace has these fields', async () => {
    assert.deepEqual(keys(await ask('GET', `/v1/workspaces/${service.workspaceId}`)), WORKSPACE);
  });

  it('a project has these fields', async () => {
    const record = await ask('GET', project);
    assert.deepEqual(keys(record), PROJECT);
    assert.deepEqual([record['file_count'], record['indexing_status']], [FILES.length, 'ready']);
  });

  it('overview: workspace, counts, indexing, languages, recent_events, recent_decisions', async () => {
    const overview = await ask<Record<string, object>>(
      'GET',
      `/v1/workspaces/${service.workspaceId}/overview`,
    );
    const { counts = {}, indexing = {} } = overview;
    assert.deepEqual(
      keys(overview),
      sorted('workspace counts indexing languages recent_events recent_decisions'),
    );
    assert.deepEqual(keys(counts), sorted('projects files chunks events nodes members'));
    assert.deepEqual(keys(indexing), sorted('pending indexed failed'));
  });

  it('ingest: received, changed, unchanged, removed, rejected; unchanged content costs nothing', async () => {
    const files = [
      FILES[0],
      { path: '../escape.ts', content: 'x' },
      { path: 'bin.dat', content: 'a\u0000b' },
    ];
    const reply = await ask<{ rejected: { path: string; reason: string }[] }>(
      'POST',
      `${project}/files/ingest`,
      { files },
    );
    const { rejected, ...counts } = reply;
    assert.deepEqual(counts, { received: 3, changed: 0, unchanged: 1, removed: 0 });
    assert.deepEqual(
      rejected.map(({ path }) => path),
      ['../escape.ts', 'bin.dat'],
    );
    for (const { reason } of rejected) assert.ok(reason.length > 0);
  });

  it('ingest takes 1 to 500 files', async () => {
    for (const count of [0, 501]) {
      const files = Array.from({ length: count }, (_, i) => ({ path: `f${i}`, content: '' }));
      const { status } = await send(service.url, 'POST', `${project}/files/ingest`, { body: { files } });
      assert.equal(status, 400, `${count}`);
    }
  });

  it('files: page of path, language, bytes, sha256, lines, indexing_status, error, indexed_at', async () => {
    const { items } = await ask<{ items: Record<string, unknown>[] }>('GET', `${project}/files`);
    assert.deepEqual(
      items.map(({ path }) => path),
      FILES.map(({ path }) => path).sort(),
    );
    for (const item of items) assert.deepEqual(keys(item), FILE);
    const narrowed = await ask<{ items: object[] }>(
      'GET',
      `${project}/files?path_prefix=src/&language=python&indexing_status=indexed`,
    );
    assert.equal(narrowed.items.length, 1);
  });

  it('files/content: path, language, content, start_line, end_line, total_lines', async () => {
    const { path } = FILES[0];
    assert.deepEqual(await ask('GET', `${project}/files/content?path=${path}&start_line=2&end_line=2`), {
      path,
      language: 'typescript',
      content: '  return `${id}!`;\n',
      start_line: 2,
      end_line: 2,
      total_lines: 3,
    });
  });

  it('index/status: state, pending, indexed, failed, indexed_at, generation', async () => {
    const status = await ask('GET', `${project}/index/status`);
    assert.deepEqual(keys(status), sorted('state pending indexed failed indexed_at generation'));
    assert.deepEqual([status['state'], status['pending'], status['indexed']], ['ready', 0, FILES.length]);
  });

  it('index/status: not_indexed before the first ingest, empty when nothing is left', async () => {
    const made = { workspace_id: service.workspaceId, name: 'short' };
    const { id } = await ask<{ id: string }>('POST', '/v1/projects', made);
    const state = async () => (await ask(`GET`, `/v1/projects/${id}/index/status`))['state'];
    assert.equal(await state(), 'not_indexed');
    await ask('POST', `/v1/projects/${id}/files/ingest`, { files: [{ path: 'a.md', content: '# A\n' }] });
    assert.deepEqual(await ask('POST', `/v1/projects/${id}/files/delete`, { paths: ['a.md'] }), {
      removed: 1,
    });
    await service.indexed(id);
    assert.equal(await state(), 'empty');
    await ask('DELETE', `/v1/projects/${id}`);
  });

  it('a record that does not exist answers NOT_FOUND on every route of it', async () => {
    for (const [method, path, body] of [
      ['GET', `/v1/workspaces/${NOBODY}`],
      ['PATCH', `/v1/workspaces/${NOBODY}`, { name: 'x' }],
      ['DELETE', `/v1/workspaces/${NOBODY}`],
      ['GET', `/v1/workspaces/${NOBODY}/overview`],
      ['GET', `/v1/projects?workspace_id=${NOBODY}`],
      ['POST', '/v1/projects', { workspace_id: NOBODY, name: 'x' }],
      ['GET', `/v1/projects/${NOBODY}`],
      ['DELETE', `/v1/projects/${NOBODY}`],
      ['GET', `/v1/projects/${NOBODY}/files`],
      ['POST', `/v1/projects/${NOBODY}/files/delete`, { paths: ['a'] }],
    ] as const) {
      const reply = await send(service.url, method, path, body && { body });
      assert.deepEqual([reply.status, reply.body.error?.code], [404, 'NOT_FOUND'], `${method} ${path}`);
    }
  });
});
