import assert from 'node:assert/strict';
import { startService, type Service } from '../start-service.js';
import { dataOf, issuePath, send } from './http.js';

const sorted = (fields: string): string[] => fields.split(' ').sort();
const SYMBOL = sorted('id name qualified_name kind path start_line end_line signature');
const EDGE = sorted('kind path line confidence reason');
const STATE = 'index warnings';
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "dependencies": { "left-pad": "1.3.0" } }',
  'src/store.ts':
    "import pad from 'left-pad';\nexport class UserStore {\n  get(id: string): string {\n    return pad(id, 8);\n  }\n}\n",
  'src/service.ts':
    "import { UserStore } from './store.js';\nexport function find(store: UserStore): string {\n  return store.get('1');\n}\nexport function ping(): void {\n  pong();\n}\nfunction pong(): void {\n  ping();\n}\n",
  'src/index.ts':
    "import { UserStore } from './store.js';\nimport { find } from './service.js';\nexport function handle(): string {\n  return find(new UserStore());\n}\nfunction forgotten(): void {}\n",
  'test/shop.test.ts': "import { handle } from '../src/index.js';\nit('handles', () => {\n  handle();\n});\n",
};
const GET = 'src/store.ts#UserStore.get';
const HANDLE = 'src/index.ts#handle';

interface Item {
  readonly symbol: { readonly id: string };
  readonly depth: number;
  readonly via: readonly object[];
}
interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

describe('contract.md 6: graph', () => {
  let service: Service;
  let project_id: string;
  before(async () => {
    service = await startService({ search: { training: false } });
    const { id: workspace_id } = await service.use<{ id: string }>('workspaces_create', { name: 'w' });
    const project = await service.use<{ id: string }>('projects_create', { workspace_id, name: 'p' });
    project_id = project.id;
    const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
    await service.use('files_ingest', { project_id, files });
    await service.indexed(project_id);
  });
  after(() => service.stop());

  const post = (route: string, more: object) =>
    send(service.url, 'POST', `/v1/graph/${route}`, { body: { project_id, ...more } });
  const get = async <T>(route: string, query = '') =>
    dataOf<T>((await send(service.url, 'GET', `/v1/graph/${route}?project_id=${project_id}${query}`)).body);
  async function ask<T>(route: string, more: object): Promise<T> {
    const { status, body } = await post(route, more);
    assert.equal(status, 200, JSON.stringify(body.error));
    return dataOf<T>(body);
  }
  const idsOf = (items: readonly Item[]) => items.map(({ symbol }) => symbol.id);

  it('POST /dependencies', async () => {
    const request = { target: { type: 'function', name: 'UserStore.get' }, include_transitive: true };
    const answer = await ask<{ dependents: Item[]; external: object[]; totals: object; truncated: boolean }>(
      'dependencies',
      request,
    );
    assert.deepEqual(
      Object.keys(answer).sort(),
      sorted(`target dependencies dependents cycles external totals unresolved_count truncated ${STATE}`),
    );
    assert.deepEqual(
      answer.dependents.map(({ symbol, depth }) => [symbol.id, depth]),
      [
        ['src/service.ts#find', 1],
        [HANDLE, 2],
        ['test/shop.test.ts', 3],
      ],
    );
    const [first] = answer.dependents;
    assert.deepEqual(Object.keys(first?.symbol ?? {}).sort(), SYMBOL);
    assert.deepEqual(Object.keys(first?.via[0] ?? {}).sort(), EDGE);
    assert.equal(answer.truncated, false);
    const module = await ask<typeof answer & { mermaid: string }>('dependencies', {
      target: { type: 'module', path: 'src/store.ts' },
      direction: 'out',
      format: 'mermaid',
    });
    assert.deepEqual(module.external, [{ name: 'left-pad', version: '1.3.0' }]);
    assert.match(module.mermaid, /^flowchart/);
  });

  it('POST /impact-analysis', async () => {
    const answer = await ask<{
      risk_level: string;
      affected: Item[];
      affected_modules: string[];
      affected_tests: { id: string }[];
    }>('impact-analysis', { target: { type: 'function', id: GET }, change_type: 'rename' });
    assert.deepEqual(
      Object.keys(answer).sort(),
      sorted(
        `target risk_level reasons affected affected_modules affected_tests overriding_methods related_decisions totals unresolved_count truncated ${STATE}`,
      ),
    );
    assert.match(answer.risk_level, /^(?:low|medium|high|critical)$/);
    assert.deepEqual(idsOf(answer.affected), ['src/service.ts#find', HANDLE, 'test/shop.test.ts']);
    const [via] = answer.affected[0]?.via ?? [];
    assert.deepEqual(via, {
      kind: 'calls',
      path: 'src/service.ts',
      line: 3,
      snippet: "return store.get('1');",
      confidence: 0.95,
      reason: 'type',
    });
    assert.deepEqual(
      answer.affected_tests.map(({ id }) => id),
      ['test/shop.test.ts'],
    );
    assert.deepEqual(answer.affected_modules, ['src/index.ts', 'src/service.ts', 'test/shop.test.ts']);
  });

  it('POST /call-paths', async () => {
    const [from, to] = [
      { type: 'function', id: HANDLE },
      { type: 'function', id: GET },
    ];
    const found = await ask<{
      paths: { hops: { symbol: { id: string }; call_site?: object }[]; length: number }[];
      shortest_path_length: number;
    }>('call-paths', { from, to });
    assert.deepEqual(
      found.paths.map(({ hops, length }) => [hops.map(({ symbol }) => symbol.id), length]),
      [[[HANDLE, 'src/service.ts#find', GET], 2]],
    );
    const site = { path: 'src/index.ts', line: 4, snippet: 'return find(new UserStore());', confidence: 1 };
    assert.deepEqual(found.paths[0]?.hops[1]?.call_site, site);
    assert.equal(found.shortest_path_length, 2);
    const none = await ask<{ paths: object[]; furthest: object }>('call-paths', { from: to, to: from });
    assert.deepEqual(none.paths, []);
    assert.ok(none.furthest);
  });

  it('GET /symbols, /cycles, /unused and /overview', async () => {
    const symbols = await get<Page<{ id: string }>>('symbols', '&query=get&kind=method');
    assert.deepEqual(
      symbols.items.map(({ id }) => id),
      [GET],
    );
    assert.deepEqual(Object.keys(symbols.items[0] ?? {}).sort(), SYMBOL);
    const cycles = await get<Page<{ level: string; members: string[] }>>('cycles');
    assert.deepEqual(
      cycles.items.map(({ level, members }) => [level, members]),
      [['function', ['src/service.ts#ping', 'src/service.ts#pong']]],
    );
    const unused = await get<Page<{ id: string; reason: string }>>('unused');
    assert.ok(unused.items.some(({ id, reason }) => id === 'src/index.ts#forgotten' && reason !== ''));
    const map = await get<{ nodes: object[]; edges: object[] }>('overview', '&level=module');
    assert.deepEqual(Object.keys(map).sort(), sorted(`nodes edges totals truncated ${STATE}`));
    assert.deepEqual(Object.keys(map.nodes[0] ?? {}).sort(), sorted('id path area symbols files x y'));
    assert.deepEqual(Object.keys(map.edges[0] ?? {}).sort(), sorted('source target kind count'));
  });

  it('a name that fits several symbols is CONFLICT with candidates, an unknown one NOT_FOUND with near names', async () => {
    const files = [{ path: 'src/other.ts', content: 'export function find(): void {}\n' }];
    await service.use('files_ingest', { project_id, files });
    await service.indexed(project_id);
    const several = await post('dependencies', { target: { type: 'function', name: 'find' } });
    assert.equal(several.status, 409);
    const candidates = several.body.error?.details?.['candidates'] as { id: string }[];
    assert.deepEqual(
      candidates.map(({ id }) => id),
      ['src/other.ts#find', 'src/service.ts#find'],
    );
    const unknown = await post('dependencies', { target: { type: 'function', name: 'hndle' } });
    assert.equal(unknown.status, 404);
    assert.match(unknown.body.error?.message ?? '', /src\/index\.ts#handle/);
  });

  for (const [route, body, path] of [
    ['dependencies', { target: { type: 'function', id: GET }, max_depth: 21 }, '/max_depth'],
    ['dependencies', { target: { type: 'package', id: GET } }, '/target/type'],
    ['impact-analysis', { target: { type: 'function', id: GET }, change_type: 'move' }, '/change_type'],
    ['call-paths', { from: { type: 'function', id: GET }, max_paths: 101 }, '/max_paths'],
  ] as const) {
    it(`${route}: ${path} out of bounds is INVALID_ARGUMENT`, async () => {
      assert.equal(issuePath((await post(route, body)).body.error), path);
    });
  }
});
