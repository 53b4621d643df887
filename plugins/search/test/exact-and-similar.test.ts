import assert from 'node:assert/strict';
import { editDistance, exactForms, exactness, isDefinition } from '@service-mcp/plugin-search/internals';
import { AT_REST, site, type Site } from './harness.js';

const noise = (words: string) =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`noise/${i}.md`, `# Note ${i}\n\n${`${words} `.repeat(6)}\n`]),
  );

describe('exact hits and similar terms', () => {
  let it_: Site;
  before(async () => {
    it_ = await site({ config: AT_REST });
    const filler = 'Some other sentence about nothing in particular. '.repeat(20);
    await it_.ingest({
      ...noise('get user by id'),
      'src/user.ts': `// ${filler}\nexport function getUserById(id: string) { return id; }\n`,
      'src/mentions.ts':
        '// getUserById, getUserById\nexport const get = () => getUserById(getUserById("1"));\n',
      'src/lower.ts': 'export const getuserbyid = 1;\n',
      ...Object.fromEntries(
        Object.entries(noise('refused connection, connection refused the peer; reset')).map(
          ([path, text]) => [`more/${path}`, text],
        ),
      ),
      'docs/phrase.md': `# Errors\n\n${filler}\n\nIt ends with: connection reset by the peer.\n`,
      'docs/codes.md': `# Codes\n\n${filler}\n\nThe code ERR_FOO_BAR is for others.\n`,
      'docs/parts.md': '# err foo bar\n\nerr foo bar err foo bar\n',
      'docs/words.md': '# Authentication\n\nThe database receives an authentication.\n',
      ...Object.fromEntries(
        Array.from({ length: 360 }, (_, n) => [
          `sea/${n}.md`,
          n < 60
            ? `${'tide '.repeat(9)}\n`
            : `A keeper lantern ${n % 10 ? 'calm '.repeat(1 + (n % 7)) : 'tide'}\n`,
        ]),
      ),
      'docs/recycle.md': '# Pools\n\nA pool can recycle a socket.\n\nTo recycle means to close.\n',
      'docs/typo.md': '# Notes\n\nThe sheduler sleeps.\n',
      'src/scheduler.ts': 'export const scheduler = 1;\n',
      'docs/loader.md': 'A loader reads a header, and asks LaunchDarkly.\n',
      'docs/recalc.md': '# Sheets\n\nF9 is recalc.\n',
      'docs/scripts.md': '# Ошибки\n\nПодключение закрыто. Überraschung im Getriebe. 数据库连接失败\n',
    });
    await it_.settled();
  });
  after(() => it_.stop());

  it('names words that nothing holds, which leave a hybrid search with what is near in meaning', async () => {
    const warningsOf = async (mode: string, query: string) => (await it_.search(mode, { query })).warnings;
    for (const mode of ['keyword', 'hybrid'])
      assert.deepEqual(
        (await warningsOf(mode, 'zzqqxx database')).filter((warning) => warning.includes('zzqqxx')),
        ['Nothing holds "zzqqxx".'],
      );
    const [keyword, hybrid] = [await warningsOf('keyword', 'zzqqxx'), await warningsOf('hybrid', 'zzqqxx')];
    assert.deepEqual(keyword, ['Nothing holds "zzqqxx": search_hybrid finds what is near in meaning.']);
    assert.ok(hybrid.includes('Nothing holds "zzqqxx": the results are near in meaning at most.'));
    assert.deepEqual(await warningsOf('keyword', 'database'), []);
    const none = await it_.search('hybrid', { query: 'zzqqxx', filters: { path_prefix: 'nowhere/' } });
    assert.deepEqual(none.results, []);
    assert.ok(none.warnings.includes('Nothing holds "zzqqxx".'), none.warnings.join());
  });

  it('answers to a word that is too long to look for what resembles it', async () => {
    for (const word of ['eyJ'.repeat(1300), 'eyjeyj'.repeat(8)]) {
      const { warnings } = await it_.search('keyword', { query: word });
      assert.match(warnings.join(), /^Nothing holds "/);
    }
  });

  const first = async (mode: string, query: string) => (await it_.search(mode, { query })).results[0];

  for (const mode of ['keyword', 'hybrid']) {
    it(`${mode}: an identifier as written comes before its parts`, async () => {
      assert.equal((await first(mode, 'getUserById'))?.path, 'src/user.ts');
      assert.equal((await first(mode, 'ERR_FOO_BAR'))?.path, 'docs/codes.md');
      assert.equal((await first(mode, 'what does ERR_FOO_BAR mean'))?.path, 'docs/codes.md');
    });

    it(`${mode}: the definition of a name comes before its mentions`, async () => {
      const { results } = await it_.search(mode, { query: 'getUserById' });
      assert.deepEqual(
        results.slice(0, 2).map(({ path }) => path),
        ['src/user.ts', 'src/mentions.ts'],
      );
    });

    it(`${mode}: what holds a phrase has one place on pages of any size`, async () => {
      const pathsOf = async (limit: number) => {
        const filters = { path_prefix: 'sea/' };
        const { results } = await it_.search(mode, { query: '"keeper lantern" tide', filters, limit });
        return results.slice(0, 20).map(({ path }) => path);
      };
      assert.deepEqual(await pathsOf(20), await pathsOf(100));
    });

    it(`${mode}: facets count what holds the identifier as written`, async () => {
      const filters = { path_prefix: 'src/' };
      const asked = { query: 'getUserById', filters, facets: ['languages', 'directories'] };
      const { facets, total } = await it_.search(mode, asked);
      assert.deepEqual(facets, {
        languages: [{ value: 'typescript', count: total }],
        directories: [{ value: 'src', count: total }],
      });
    });

    it(`${mode}: a phrase comes before its words, quoted or as the whole query`, async () => {
      const quoted = await first(mode, '"reset by the peer"');
      assert.equal(quoted?.path, 'docs/phrase.md');
      const { start, end } = quoted.highlights[0] ?? { start: 0, end: 0 };
      assert.equal(quoted.content.slice(start, end), 'reset by the peer');
      assert.equal((await first(mode, 'connection reset by the peer'))?.path, 'docs/phrase.md');
    });

    it(`${mode}: scores follow the order`, async () => {
      for (const query of ['getUserById', 'connection reset by the peer']) {
        const scores = (await it_.search(mode, { query })).results.map(({ score }) => score);
        assert.deepEqual(
          scores,
          [...scores].sort((a, b) => b - a),
        );
        if (mode === 'hybrid') assert.ok(scores.every((score) => score <= 1));
      }
    });

    it(`${mode}: the least score is that of the score which is shown`, async () => {
      const asked = { query: 'getUserById', limit: 100 };
      const all = (await it_.search(mode, asked)).results.map(({ score }) => score);
      for (const min_score of all.slice(1).map((score, i) => (score + (all[i] ?? 0)) / 2)) {
        const expected = all.filter((score) => score >= min_score);
        const { results } = await it_.search(mode, { ...asked, min_score });
        assert.deepEqual(
          results.map(({ score }) => score),
          expected,
        );
        const counted = await it_.search(mode, { ...asked, min_score, output_format: 'count' });
        assert.equal(counted.total, expected.length);
      }
    });

    it(`${mode}: a misspelt or unfinished word is searched as the one that is there`, async () => {
      for (const [query, word] of [
        ['databse', 'database'],
        ['recieves', 'receives'],
        ['autentication', 'Authentication'],
        ['authenti', 'Authentication'],
      ] as const) {
        const { results, warnings } = await it_.search(mode, { query });
        assert.equal(results[0]?.path, 'docs/words.md', query);
        assert.match(warnings.join('\n'), new RegExp(`Nothing holds "${query}": "${word}"`, 'u'));
        const marked = results[0]?.highlights.map(({ start, end }) => results[0]?.content.slice(start, end));
        assert.ok(marked?.includes(word), `${query} marks ${String(marked)}`);
      }
    });
  }

  it('an exchange of neighbours is as near as another letter', async () => {
    const { results, warnings } = await it_.search('keyword', { query: 'recylce socket' });
    assert.equal(results[0]?.path, 'docs/recycle.md');
    assert.match(warnings.join('\n'), /Nothing holds "recylce": .*"recycle"/u);
  });

  it('a word that only other kinds hold is searched as the one that is there', async () => {
    for (const [kind, path] of [
      ['doc', 'docs/typo.md'],
      ['code', 'src/scheduler.ts'],
    ]) {
      const { results } = await it_.search('keyword', { query: 'sheduler', filters: { kinds: [kind] } });
      assert.equal(results[0]?.path, path);
    }
  });

  it('a misspelt word of any script gets an answer', async () => {
    assert.equal((await first('keyword', 'Überaschung'))?.path, 'docs/scripts.md');
    for (const query of ['Подклчение', '数据表连接', '𐡺ⶺꅼ𐬅𐺀', '⑺𒂻𝁘ꕄ'])
      await assert.doesNotReject(() => it_.search('keyword', { query }), query);
  });

  it('no word that is there is replaced, nor one that nothing resembles', async () => {
    for (const query of ['database', 'reset', 'xylophonist']) {
      const { warnings } = await it_.search('keyword', { query });
      assert.ok(!warnings.some((warning) => warning.includes('instead')), query);
    }
    assert.equal((await it_.search('keyword', { query: 'xylophonist' })).total, 0);
  });

  it('nothing stands in for a part of an identifier, nor does a word with another beginning', async () => {
    const identifier = await it_.search('hybrid', { query: 'database_recieves' });
    const ofWords = identifier.warnings.filter((warning) => warning.startsWith('Nothing'));
    assert.deepEqual(ofWords, ['Nothing holds "database_recieves".']);
    const { warnings } = await it_.search('keyword', { query: 'leader' });
    assert.deepEqual(warnings, ['Nothing holds "leader": "loader" was searched instead.']);
  });

  it('an identifier that is asked for in small letters is not missing', async () => {
    const { results, warnings } = await it_.search('keyword', { query: 'launchdarkly' });
    assert.deepEqual([results[0]?.path, warnings], ['docs/loader.md', []]);
  });

  it('a word that was found once is missing when it is gone', async () => {
    await it_.ingest({ 'docs/gone.md': 'The quagga grazes.\n' });
    await it_.settled();
    assert.equal((await first('keyword', 'quagga'))?.path, 'docs/gone.md');
    await it_.host.use('files_delete', { project_id: it_.projectId, paths: ['docs/gone.md'] });
    await it_.settled();
    const { total, warnings } = await it_.search('keyword', { query: 'quagga' });
    assert.equal(total, 0);
    assert.match(warnings.join(), /^Nothing holds "quagga"/);
  });
});

describe('what a query spells out', () => {
  const held = (query: string, text: string) =>
    exactness(exactForms(query), { path: '', symbol: '', title: '', text });

  it('is found as written: identifiers with their case, phrases with any', () => {
    assert.equal(held('getUserById', 'x = getUserById(1)'), 1);
    assert.equal(held('getUserById', 'x = getuserbyid(1)'), 0);
    assert.equal(held('getUserById', 'x = forgetUserByIds(1)'), 0);
    assert.equal(held('"Connection Refused"', 'a connection\n  refused'), 1);
    assert.equal(held('where is getUserById?', 'getUserById'), 1);
    assert.equal(held('callers of getUserById', 'getUserById'), 0.8, 'four of five terms');
    assert.equal(held('retry', 'retry'), 0, 'one plain word is for BM25 alone');
    assert.equal(held('#9002', 'ticket 9002.'), 1, 'a number has no other words');
    assert.equal(held('inc9002', 'INC9002 is open'), 1);
    assert.equal(held('9002', 'ticket 19002'), 0);
    assert.equal(held('retry 9002', 'ticket 9002'), 0);
    assert.deepEqual(exactForms('9002').required?.terms, ['9002'], 'so that none is missed');
    assert.equal(held('a.b(c) [*', 'see a.b(c) [*]'), 1);
  });

  it('is a definition where it is the name of a symbol, or the end of that', () => {
    const defines = (query: string, symbol: string) => isDefinition(exactForms(query), symbol);
    for (const [query, symbol] of [
      ['getUserById', 'Store.getUserById~2'],
      ['tokenize', 'Parser.tokenize'],
      ['store', 'Store'],
      ['Store.get', 'shop.Store.get'],
      ['Store::get()', 'Store.get'],
      ['print.ggplot', 'print.ggplot'],
      ['total', 'Shop:total'],
      ['sha256', 'sha256'],
    ] as const)
      assert.ok(defines(query, symbol), `${query} ${symbol}`);
    for (const [query, symbol] of [
      ['getUserById', 'getuserbyid'],
      ['getUserById', 'getUserByIds'],
      ['Store', 'store'],
      ['Other.get', 'Store.get'],
      ['tokenize text', 'tokenize'],
      ['"tokenize"', 'tokenize'],
      ['256', '256'],
      ['a.b.c', 'b.c'],
    ] as const)
      assert.equal(defines(query, symbol), false, `${query} ${symbol}`);
  });

  it('distance counts an exchange of neighbours once', () => {
    assert.equal(editDistance('recieve', 'receive'), 1);
    assert.equal(editDistance('kitten', 'sitting'), 3);
    assert.equal(editDistance('', 'ab'), 2);
  });
});
