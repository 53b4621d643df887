import assert from 'node:assert/strict';
import { startFilledService, type FilledService } from './filled-service.js';
import { dataOf, issuePath, send } from './http.js';

const sorted = (fields: string): string[] => fields.split(' ').sort();
const DATA = sorted('mode results total total_is_lower_bound took_ms has_more index warnings');
const RESULT = sorted(
  'id kind project_id path language start_line end_line title content truncated score scores highlights updated_at stale',
);
const MODES = ['semantic', 'hybrid', 'keyword', 'pattern'] as const;

type Counts = readonly { readonly value: string; readonly count: number }[];

interface Found {
  readonly results: readonly (Record<string, unknown> & {
    readonly path: string;
    readonly content: string;
    readonly scores: object;
    readonly highlights: readonly object[];
  })[];
  readonly facets?: Readonly<Record<string, Counts>>;
  readonly total: number;
  readonly has_more: boolean;
  readonly index: object;
}

describe('contract.md 4: search', () => {
  let service: FilledService;
  before(async () => {
    service = await startFilledService();
  });
  after(() => service.stop());

  const post = (mode: string, more: object) =>
    send(service.url, 'POST', `/v1/search/${mode}`, { body: { workspace_id: service.workspaceId, ...more } });
  const search = async (mode: string, more: object): Promise<Found> =>
    dataOf<Found>((await post(mode, more)).body);

  for (const mode of MODES) {
    it(`${mode}: data, result, scores and index have these fields`, async () => {
      const found = await search(mode, { query: 'refreshToken' });
      assert.deepEqual(Object.keys(found).sort(), DATA);
      assert.deepEqual(Object.keys(found.index).sort(), sorted('state generation pending'));
      assert.ok(found.results.length > 0);
      for (const { symbol: _optional, ...result } of found.results) {
        assert.deepEqual(Object.keys(result).sort(), RESULT);
        for (const name of Object.keys(result.scores)) assert.match(name, /^(?:semantic|keyword|fused)$/);
        for (const highlight of result.highlights) {
          assert.deepEqual(Object.keys(highlight).sort(), sorted('start end line column'));
        }
      }
    });

    it(`${mode}: query is 1 to 4000 characters`, async () => {
      for (const query of ['', 'x'.repeat(4001)]) {
        assert.equal(issuePath((await post(mode, { query })).body.error), '/query');
      }
    });
  }

  for (const [name, filters, paths] of [
    ['languages', { languages: ['python'] }, ['src/store.py']],
    ['path_prefix', { path_prefix: 'docs/' }, ['docs/lantern.md', 'docs/smile.md']],
    ['path_glob', { path_glob: '**/*.ts' }, ['src/token.ts']],
    ['kinds', { kinds: ['event'] }, []],
    ['modified_after', { modified_after: '2999-01-01T00:00:00Z' }, []],
    ['modified_before', { modified_before: '1999-01-01T00:00:00Z' }, []],
  ] as const) {
    it(`filters.${name} narrows the search`, async () => {
      const { results } = await search('pattern', { query: '.', filters, limit: 100 });
      assert.deepEqual([...new Set(results.map(({ path }) => path))].sort(), paths);
    });
  }

  it('limit and offset page through, and has_more says whether there is more', async () => {
    const page = (offset: number) =>
      search('pattern', { query: '.', output_format: 'paths', limit: 2, offset });
    const [first, last] = [await page(0), await page(2)];
    assert.deepEqual([first.results.length, first.has_more], [2, true]);
    assert.deepEqual([last.results.length, last.has_more], [2, false]);
    const paths = [...first.results, ...last.results].map(({ path }) => path);
    assert.equal(new Set(paths).size, 4);
    assert.equal(issuePath((await post('pattern', { query: '.', offset: 1001 })).body.error), '/offset');
  });

  it('output_format count gives no results and a true count', async () => {
    const { results, total } = await search('pattern', { query: 'lantern', output_format: 'count' });
    assert.deepEqual([results.length, total], [0, 60]);
  });

  for (const mode of MODES) {
    it(`${mode}: facets count all matches, however few are shown`, async () => {
      const facets = ['languages', 'kinds', 'directories', 'projects'];
      const found = await search(mode, { query: 'lantern', limit: 1, facets });
      assert.deepEqual(Object.keys(found.facets ?? {}), facets);
      const sums = facets.map((name) => found.facets?.[name]?.reduce((sum, { count }) => sum + count, 0));
      assert.deepEqual(sums, [found.total, found.total, found.total, found.total]);
      assert.equal(found.facets?.['projects']?.[0]?.value, service.projectId);
      const issue = issuePath((await post(mode, { query: 'x', facets: ['owners'] })).body.error);
      assert.equal(issue, '/facets/0');
    });
  }

  it('facets hold the values to narrow by', async () => {
    const facets = ['languages', 'kinds', 'directories'];
    const by = async (more: object) => {
      const found = await search('pattern', { query: '.', output_format: 'paths', facets, ...more });
      return Object.values(found.facets ?? {}).map((counts) => counts.map(({ value }) => value).sort());
    };
    assert.deepEqual(await by({}), [
      ['markdown', 'python', 'typescript'],
      ['code', 'doc'],
      ['docs', 'src'],
    ]);
    assert.deepEqual(await by({ filters: { path_prefix: 'src/' } }), [
      ['python', 'typescript'],
      ['code'],
      ['src'],
    ]);
  });

  it('pattern: case_sensitive is true by default; whole_word and multiline widen and narrow', async () => {
    const count = async (more: object) =>
      (await search('pattern', { output_format: 'count', ...more })).total;
    assert.equal(await count({ query: 'LANTERN' }), 0);
    assert.equal(await count({ query: 'LANTERN', case_sensitive: false }), 61); // the heading says Lanterns
    assert.equal(await count({ query: 'lantern', case_sensitive: false, whole_word: true }), 60);
    assert.equal(await count({ query: 'Lanterns\\n\\nThe', multiline: true }), 1);
  });

  for (const query of ['(a)\\1', '(?=x)y', '(?<!x)y', '(unclosed']) {
    it(`pattern: ${query} is INVALID_ARGUMENT and says where`, async () => {
      const { status, body } = await post('pattern', { query });
      assert.equal(status, 400);
      assert.equal(issuePath(body.error), '/query');
      assert.match(body.error?.message ?? '', /\d|position|column/);
    });
  }

  it('a write is visible to every mode as soon as its status is indexed', async () => {
    const file = { path: 'docs/quagga.md', content: '# Quagga\n\nThe quagga is a striped animal.\n' };
    await service.use('files_ingest', { project_id: service.projectId, files: [file] });
    await service.indexed(service.projectId);
    for (const mode of MODES) {
      const { results } = await search(mode, { query: 'quagga' });
      assert.ok(
        results.some(({ path }) => path === file.path),
        mode,
      );
    }
    await service.use('files_delete', { project_id: service.projectId, paths: [file.path] });
    await service.indexed(service.projectId);
    for (const mode of MODES) {
      const { results } = await search(mode, { query: 'quagga' });
      assert.ok(!results.some(({ path }) => path === file.path), mode);
    }
  });
});
