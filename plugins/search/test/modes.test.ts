import assert from 'node:assert/strict';
import { rejects } from '@service-mcp/core/testing';
import { site, type Site } from './harness.js';

const files = {
  'src/store.ts': `/** Keeps users by id. */
export class UserStore {
  #users = new Map<string, { name: string }>();

  /** Looks a user up. */
  getUserById(id: string) {
    return this.#users.get(id);
  }
}

export function parseJsonBody(text: string): unknown {
  return JSON.parse(text);
}
`,
  'src/retry.py': `def retry_with_backoff(call, attempts):
    """Call again after a growing pause."""
    for attempt in range(attempts):
        try:
            return call()
        except ConnectionError:
            sleep(2 ** attempt)
`,
  'src/mailer.ts': `export function deliver(letter: string) {
  post(letter, 'envelope');
}
`,
  'test/mailer.test.ts': `it('can deliver a letter', () => {
  deliver('letter');
  assert.equal(posted(), 'envelope');
});
`,
  'src/parcel.ts': `export function wrap(parcel: string) {
  tie(parcel, 'ribbon');
}
`,
  'test/fixtures/parcels.txt': 'wrap a parcel, tie a parcel, find a ribbon\n',
  'docs/guide.md': `# Guide

How to install.

## Uploading files

Send the file in parts. The quota is 5 % of o'clock_time.

## 日本語

東京都の天気は晴れです。
`,
  'src/crlf.txt': 'first line\r\nsecond line\r\n',
};

describe('the four modes over ingested files', () => {
  let it_: Site;
  before(async () => {
    it_ = await site();
    const empty = await it_.search('keyword', { query: 'anything' });
    assert.equal(empty.index.state, 'not_indexed');
    assert.match(empty.warnings.join(), /files_ingest/u);
    await it_.ingest(files);
    await it_.settled();
  });
  after(() => it_.stop());

  it('keyword finds an identifier by its parts and marks where', async () => {
    const { results, index, total } = await it_.search('keyword', { query: 'user by id' });
    assert.equal(results[0]?.path, 'src/store.ts');
    assert.equal(index.state, 'ready');
    assert.ok(total >= 1);
    const first = results[0];
    assert.ok(first && first.highlights.length > 0);
    for (const { start, end, line, column } of first.highlights) {
      const shown: string = first.content.slice(start, end);
      assert.match(shown, /user|id/iu);
      assert.equal(
        files['src/store.ts'].split('\n')[line - 1]?.slice(column - 1, column - 1 + shown.length),
        shown,
      );
    }
    assert.ok(first.scores.keyword !== undefined && first.scores.semantic === undefined);
  });

  it('hybrid puts code before its tests, unless tests are asked for', async () => {
    const paths = async (query: string) =>
      (await it_.search('hybrid', { query })).results.slice(0, 2).map(({ path }) => path);
    assert.deepEqual(await paths('letter in an envelope'), ['src/mailer.ts', 'test/mailer.test.ts']);
    assert.equal((await paths('test of a letter in an envelope'))[0], 'test/mailer.test.ts');
    assert.equal((await paths('parcel with a ribbon'))[0], 'src/parcel.ts', 'texts of tests, too');
  });

  it('keyword finds Chinese, Japanese and Korean text, and queries of stop words alone', async () => {
    assert.equal((await it_.search('keyword', { query: '天気' })).results[0]?.path, 'docs/guide.md');
    assert.equal((await it_.search('keyword', { query: 'how to' })).results[0]?.path, 'docs/guide.md');
    const none = await it_.search('keyword', { query: '!?' });
    assert.equal(none.results.length, 0);
    assert.match(none.warnings.join(), /search_pattern/u);
  });

  it('semantic and hybrid answer, and say that the space is untrained', async () => {
    for (const mode of ['semantic', 'hybrid']) {
      const answer = await it_.search(mode, { query: 'retry a call with backoff' });
      assert.equal(answer.results[0]?.path, 'src/retry.py', mode);
      assert.match(answer.warnings.join(), /not trained/u);
      assert.equal(/Use search_keyword or search_hybrid/u.test(answer.warnings.join()), mode === 'semantic');
    }
    const hybrid = await it_.search('hybrid', { query: 'retry' });
    assert.ok(hybrid.results[0]?.scores.fused !== undefined);
    assert.ok(hybrid.results.length > 1, 'a candidate that one leg misses stays');
  });

  it('pattern returns each match, in order, with lines and columns', async () => {
    const { results, total } = await it_.search('pattern', { query: '^\\s*return \\w+' });
    assert.deepEqual(
      results.map(({ path }) => path),
      ['src/retry.py', 'src/store.ts', 'src/store.ts'],
    );
    assert.equal(total, 3);
    const crlf = await it_.search('pattern', { query: 'line$' });
    assert.deepEqual(
      crlf.results.flatMap(({ highlights }) => highlights.map(({ line, column }) => [line, column])),
      [
        [1, 7],
        [2, 8],
      ],
    );
    const count = await it_.search('pattern', { query: 'return', output_format: 'count' });
    assert.equal(count.results.length, 0);
    assert.equal(count.total, 3);
    assert.equal(count.total_is_lower_bound, false);
    const every = await it_.search('pattern', { query: 're', limit: 100, content_max_chars: 10000 });
    const matches = every.results.flatMap(({ highlights }) => highlights).length;
    assert.ok(matches > every.total);
    const counted = await it_.search('pattern', { query: 're', output_format: 'count' });
    assert.equal(counted.total, matches, 'every match is counted, not every region');
  });

  it('pattern says that it leaves empty matches out', async () => {
    for (const query of ['^$', '$', String.raw`\b`, 'qqq*|x{0}']) {
      const { total, warnings } = await it_.search('pattern', { query });
      assert.equal(total, 0, query);
      assert.match(warnings.join(), /empty matches are not reported: ask for a character/, query);
    }
    assert.deepEqual((await it_.search('pattern', { query: 'q{9}' })).warnings, []);
    assert.deepEqual((await it_.search('pattern', { query: 'r*' })).warnings, []);
  });

  it('pattern refuses expressions beyond linear time, with the position', async () => {
    for (const [query, position] of [
      ['a(?=b)', 1],
      ['(a)\\1', 3],
      ['x(?<!y)z', 1],
      ['a[b', 1],
    ] as const) {
      await assert.rejects(
        it_.search('pattern', { query }),
        (error: { code?: string; message: string; details?: object }) => {
          assert.equal(error.code, 'INVALID_ARGUMENT');
          assert.match(error.message, new RegExp(`position ${position}`, 'u'));
          assert.match(JSON.stringify(error.details), /"\/query"/u);
          return true;
        },
      );
    }
  });

  it('filters work with any characters', async () => {
    const paths = async (filters: object) =>
      (await it_.search('hybrid', { query: 'file line user call', filters })).results.map(({ path }) => path);
    assert.deepEqual([...new Set(await paths({ path_prefix: 'docs/' }))], ['docs/guide.md']);
    assert.deepEqual([...new Set(await paths({ path_glob: '*.py' }))], ['src/retry.py']);
    for (const language of ['python', 'Python', 'py'])
      assert.deepEqual([...new Set(await paths({ languages: [language] }))], ['src/retry.py']);
    assert.ok((await paths({ kinds: ['doc'] })).every((path) => !path.endsWith('.py')));
    assert.deepEqual(await paths({ modified_after: '2999-01-01T00:00:00Z' }), []);
    for (const hostile of [
      "' OR '1'='1",
      "x' OR true --",
      '%',
      '_',
      'a\\',
      "'';",
      '"',
      "') OR starts_with(path, '",
    ]) {
      assert.deepEqual(await paths({ path_prefix: hostile }), [], hostile);
      assert.deepEqual(await paths({ languages: [hostile] }), [], hostile);
      assert.deepEqual(await paths({ tags: [hostile] }), [], hostile);
      assert.deepEqual(await paths({ path_glob: `${hostile}/x` }), [], hostile);
    }
    assert.equal((await it_.search('pattern', { query: "o'clock_time" })).total, 1);
  });

  it('filters of another type are refused with how to write them', async () => {
    const asked = (filters: unknown) => it_.search('hybrid', { query: 'retry', filters });
    await rejects(
      asked('src/'),
      'INVALID_ARGUMENT',
      /^filters: must be object, with languages, path_prefix, /,
    );
    await rejects(
      asked({ languages: 'python' }),
      'INVALID_ARGUMENT',
      /^filters\.languages: must be array: put one item into \[\] too$/,
    );
  });

  it('an answer that filters left empty says which, and what there is', async () => {
    const asked = async (filters: object, mode = 'hybrid', query = 'retry') =>
      (await it_.search(mode, { query, filters })).warnings.join(' ');
    for (const mode of ['hybrid', 'keyword', 'pattern']) {
      assert.match(await asked({ languages: ['pyton'] }, mode), /in "pyton": did you mean "python"\?/u);
      assert.match(await asked({ languages: ['cobol'] }, mode), /there are [^.]*markdown, python/u);
      assert.match(
        await asked({ path_prefix: 'lib/' }, mode),
        /begins with "lib\/": .* relative .* such as /u,
      );
      assert.match(await asked({ path_glob: 'lib/**' }, mode), /glob "lib\/\*\*"/u);
      assert.match(await asked({ path_glob: 'src\\*.py' }, mode), /folders end in \/, and paths are/u);
    }
    assert.match(await asked({ tags: ['none'] }), /passes all filters/u);
    assert.doesNotMatch(await asked({ languages: ['python'] }, 'keyword', 'zzqx'), /here is in|filters/u);
    assert.doesNotMatch(await asked({ kinds: ['event'] }), /filters/u);
  });

  it('path filters begin at the project, also where they are written with ./ or / or \\', async () => {
    for (const path_prefix of ['./src/', '/src/', 'src/', 'src\\', '.\\src\\'])
      assert.equal(
        (await it_.search('hybrid', { query: 'retry', filters: { path_prefix } })).results[0]?.path,
        'src/retry.py',
      );
    const { total } = await it_.search('pattern', { query: 'def', filters: { path_glob: './src/*.py' } });
    assert.equal(total, 1);
    for (const path_glob of ['/src/*.py', 'src/'])
      assert.ok((await it_.search('pattern', { query: 'def', filters: { path_glob } })).total > 0, path_glob);
  });

  it('a word that the embedder does not know is a warning of semantic search alone', async () => {
    const warnings = async (mode: string) => (await it_.search(mode, { query: '?!' })).warnings.join();
    assert.match(await warnings('semantic'), /knows no word/u);
    assert.doesNotMatch(await warnings('hybrid'), /knows no word/u);
  });

  it('pages, paths, context lines and truncation', async () => {
    const all = await it_.search('keyword', { query: 'file line user call', limit: 100 });
    const one = await it_.search('keyword', { query: 'file line user call', limit: 1, offset: 1 });
    assert.equal(one.results[0]?.id, all.results[1]?.id);
    assert.equal(one.has_more, all.total > 2);
    const paths = await it_.search('keyword', { query: 'file line user call', output_format: 'paths' });
    assert.equal(new Set(paths.results.map(({ path }) => path)).size, paths.results.length);
    assert.ok(paths.results.every(({ content }) => content === ''));
    const cut = await it_.search('keyword', { query: 'ConnectionError', content_max_chars: 50 });
    assert.equal(cut.results[0]?.truncated, true);
    assert.match(cut.results[0]?.content ?? '', /ConnectionError/u);
    const wide = await it_.search('pattern', { query: 'ConnectionError', context_lines: 1 });
    assert.deepEqual([wide.results[0]?.start_line, wide.results[0]?.end_line], [5, 7]);
  });

  it('huge and strange queries are answered', async () => {
    for (const query of ['word '.repeat(800), '😀'.repeat(1000), '\'"\\%_', 'ａｂｃ']) {
      for (const mode of ['semantic', 'hybrid', 'keyword']) await it_.search(mode, { query });
    }
  });

  it('sees a changed file at once as stale or new, and a deleted one never', async () => {
    await it_.ingest({ 'src/fresh.ts': 'export const zebraCrossing = 1;\n' });
    await it_.settled();
    assert.equal((await it_.search('keyword', { query: 'zebra' })).results[0]?.path, 'src/fresh.ts');
    await it_.ingest({ 'src/fresh.ts': 'export const giraffeNeck = 1;\n' });
    await it_.settled();
    assert.equal((await it_.search('keyword', { query: 'zebra' })).total, 0);
    assert.equal((await it_.search('pattern', { query: 'giraffe' })).total, 1);
    await it_.host.use('files_delete', { project_id: it_.projectId, paths: ['src/fresh.ts'] });
    for (const mode of ['keyword', 'pattern', 'hybrid']) {
      const { results } = await it_.search(mode, { query: 'giraffeNeck' });
      assert.ok(
        results.every(({ path }) => path !== 'src/fresh.ts'),
        mode,
      );
    }
  });

  it('keeps workspaces and projects apart', async () => {
    const other = await it_.host.use<{ id: string }>('workspaces_create', { name: 'other' });
    const foreign = await it_.search('hybrid', { query: 'user', workspace_id: other.id });
    assert.equal(foreign.results.length, 0);
    for (const mode of ['hybrid', 'semantic', 'keyword', 'pattern'])
      for (const place of [{ workspace_id: other.id, project_id: it_.projectId }, { project_id: other.id }])
        await rejects(it_.search(mode, { query: 'user', ...place }), 'NOT_FOUND', /projects_list/);
  });
});
