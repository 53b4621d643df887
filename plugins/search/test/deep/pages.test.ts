import assert from 'node:assert/strict';
import { AT_REST, site, type Site } from '../harness.js';

describe('pages of search results', () => {
  let it_: Site;
  before(async () => {
    // An embedder that is put in use between two pages gives another list, and knows no words of later files.
    it_ = await site({ config: AT_REST });
  });
  after(() => it_.stop());

  it('have each result once, in the order of one long answer', async () => {
    const words = ['harbour', 'lantern', 'signal', 'keeper', 'tide'];
    const at = (n: number, word: number) => words[(n * (word + 3) + (word % 4) * n * n) % words.length];
    const passage = (n: number) => Array.from({ length: 4 + (n % 9) }, (_, word) => at(n, word)).join(' ');
    const more = (n: number) => ' tide'.repeat(n % 2 ? 0 : n % 31);
    const many = Array.from({ length: 400 }, (_, n) => [
      `many/${n}.md`,
      `${passage(n)} number ${n}.${more(n)}\n`,
    ]);
    await it_.ingest(Object.fromEntries(many) as Record<string, string>);
    await it_.settled();
    const keyOf = (one: object) => JSON.stringify(one, ['path', 'start_line']);
    for (const query of ['keeper of the harbour lantern', 'keeper lantern', '"keeper lantern" tide'])
      for (const mode of ['keyword', 'hybrid']) {
        const asked = { query, filters: { path_prefix: 'many/' } };
        const ids: string[] = [];
        for (let offset = 0; offset < 200; offset += 20) {
          const page = await it_.search(mode, { ...asked, limit: 20, offset });
          ids.push(...page.results.map(keyOf));
        }
        assert.equal(new Set(ids).size, 200, `${mode} ${query}`);
        const { results } = await it_.search(mode, { ...asked, limit: 100 });
        assert.deepEqual(results.map(keyOf), ids.slice(0, 100), `${mode} ${query}`);
        const counted = await it_.search(mode, { ...asked, limit: 100, facets: ['languages'] });
        assert.deepEqual(counted.results.map(keyOf), ids.slice(0, 100), `${mode} ${query} with facets`);
      }
  });

  it('have each of many equal results once', async () => {
    const same = Array.from({ length: 150 }, (_, n) => [`same/${n}.md`, 'A keeper lights the lantern.\n']);
    await it_.ingest(Object.fromEntries(same) as Record<string, string>);
    await it_.settled();
    const asked = { query: 'keeper of the lantern', filters: { path_prefix: 'same/' }, limit: 30 };
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const paths = new Set<unknown>();
      for (const offset of [0, 30, 60, 90, 120])
        for (const { path } of (await it_.search(mode, { ...asked, offset })).results) paths.add(path);
      assert.equal(paths.size, 150, mode);
    }
  });

  it('of paths go on where a few files have most passages', async () => {
    const book = `## Part\n\n${'The gearbox turns the gearbox wheel. '.repeat(30)}\n\n`.repeat(60);
    const notes = Array.from({ length: 20 }, (_, n) => [`gear/${n}.md`, `A gearbox, seen ${n} times.\n`]);
    await it_.ingest(Object.fromEntries([['gear/book.md', book], ...notes]) as Record<string, string>);
    await it_.settled();
    const asked = { query: 'gearbox wheel', filters: { path_prefix: 'gear/' }, output_format: 'paths' };
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const pages = await Promise.all(
        [0, 8].map((offset) => it_.search(mode, { ...asked, limit: 8, offset })),
      );
      const paths = pages.flatMap(({ results }) => results.map(({ path }) => path));
      assert.deepEqual([new Set(paths).size, pages[1]?.has_more], [16, true], mode);
    }
  });
});
