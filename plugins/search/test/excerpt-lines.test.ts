import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';
import { AT_REST, newSite, site, type Site } from './harness.js';

type Hit = SearchOutput['results'][number];

const MODES = ['keyword', 'semantic', 'hybrid', 'pattern'];
const WORDS = ['lamp', 'kettle', 'river', 'stone', 'orbit', 'copper', '😀', 'ünï'];
/** Characters of a line that is never divided between chunks. */
const MAX_WHOLE_LINE = 500;
const word = fc.constantFrom(...WORDS);
/** Lines, a few of them longer than any excerpt, with the line ends of both systems, and with or without a last one. */
const text = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: fc.array(word, { maxLength: 12 }) },
        { weight: 1, arbitrary: fc.array(word, { minLength: 200, maxLength: 400 }) },
      ),
      { minLength: 1, maxLength: 60 },
    ),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lines, end, ends]) => {
    const numbered = lines.map((words, index) => [`n${index}`, ...words].join(' '));
    return numbered.join(end) + (ends ? end : '');
  });

describe('search: the lines of a hit', function () {
  let here: Site;
  const files: Record<string, string> = {};
  before(async () => {
    here = await site({ config: AT_REST });
    const documents = fc.sample(text, { numRuns: 15, seed: 72 });
    for (const [index, document] of documents.entries()) {
      files[`notes/${index}.txt`] = document;
      files[`notes/${index}.md`] = `# Part ${index}\n\n${document}`;
      files[`src/${index}.js`] = `function part${index}() {\n/*\n${document}\n*/ }\n`;
    }
    await here.ingest(files);
    await here.settled();
  });
  after(() => here.stop());

  /** Checks that the content is the text from the first character of `start_line` to the end of `end_line`. */
  function check(hit: Hit, maxChars: number): void {
    const document = files[hit.path] ?? '';
    const lines = document.split(/(?<=\n)/u);
    const at = lines.slice(0, hit.start_line - 1).join('').length;
    const behind = lines.slice(0, hit.end_line).join('').length;
    const whole = document.slice(at, behind);
    const what = `${hit.path}:${hit.start_line}-${hit.end_line} ${JSON.stringify(hit.content)}`;
    assert.ok(hit.content.length <= maxChars, what);
    const most = Math.min(maxChars, MAX_WHOLE_LINE);
    const isLong = [hit.start_line, hit.end_line].some((line) => (lines[line - 1] ?? '').length > most);
    if (!isLong) assert.equal(hit.content, whole, what);
    const offset = whole.indexOf(hit.content);
    assert.notEqual(offset, -1, what);
    // A part of a long line lies on that line, from its first character to its last.
    assert.ok(offset < (lines[hit.start_line - 1] ?? '').length, what);
    assert.ok(offset + hit.content.length > whole.length - (lines[hit.end_line - 1] ?? '').length, what);
    for (const { start, end, line, column } of hit.highlights) {
      const marked = hit.content.slice(start, end).split('\n')[0] ?? '';
      assert.ok((lines[line - 1] ?? '').slice(column - 1).startsWith(marked), `${what} ${line}:${column}`);
    }
  }

  it('begin where those of a pattern do behind a byte order mark', async () => {
    const plain = `kettle first\n${'\nn2 copper\n'.repeat(200)}`;
    const other = await newSite(here.host);
    await other.ingest({ 'marked.txt': `\uFEFF${plain}`, 'plain.txt': plain });
    await other.settled();
    const show = async (mode: string, path: string) => {
      const filters = { path_glob: path };
      const [hit] = (await other.search(mode, { query: 'kettle', context_lines: 5, filters })).results;
      const { end_line, highlights } = hit ?? assert.fail(`${mode}: ${path}`);
      return [end_line, highlights[0]?.line, highlights[0]?.column];
    };
    for (const mode of MODES) {
      const [end_line] = await show(mode, 'plain.txt');
      assert.deepEqual(await show(mode, 'marked.txt'), [end_line, 1, 2], mode);
    }
  });

  for (const mode of MODES) {
    it(`agree with its content, ${mode}`, async () => {
      const cut = { truncated: 0, whole: 0 };
      for (const content_max_chars of [50, 200, 10_000]) {
        for (const context_lines of [0, 4]) {
          for (const query of ['kettle', 'orbit n7']) {
            const { results } = await here.search(mode, {
              query,
              content_max_chars,
              context_lines,
              limit: 100,
            });
            for (const hit of results) {
              check(hit, content_max_chars);
              cut[hit.truncated ? 'truncated' : 'whole'] += 1;
            }
          }
        }
      }
      assert.ok(cut.truncated > 20 && cut.whole > 20, JSON.stringify(cut));
    });
  }
});
