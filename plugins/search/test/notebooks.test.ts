import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { chunk, CHUNK_SIZES, readable } from '@service-mcp/plugin-search/internals';
import { AT_REST, site, type Site } from './harness.js';

const LIMITS = { timeLimitMs: 5000, maxBytes: 1024 * 1024, parseCode: true };
const IMAGE = Array.from({ length: 400 }, (_, i) =>
  createHash('sha512').update(String(i)).digest('base64'),
).join('');

interface CellOptions {
  readonly type?: string;
  readonly outputs?: readonly object[];
}

const lines = (source: string): string[] => source.split(/(?<=\n)/);

function cell(source: string | string[], { type = 'markdown', outputs = [] }: CellOptions = {}): object {
  const code = { cell_type: 'code', execution_count: 7, metadata: { scrolled: true }, outputs };
  return { ...(type === 'code' ? code : { cell_type: type, metadata: {} }), source };
}

const notebook = (...cells: object[]): object => ({
  cells,
  metadata: { language_info: { name: 'python', pygments_lexer: 'ipython3' } },
  nbformat: 4,
  nbformat_minor: 5,
});

const CHURN = notebook(
  cell(lines('# Churn of plans\n\nWhy do subscribers “leave” us?\n')),
  cell(lines('import pandas as pd\n%matplotlib inline'), { type: 'code' }),
  cell(lines('## Median tenure\n\nSay \\"tenure\\" in months.')),
  cell(
    lines(
      'def median_tenure(frame):\n    """Months until a plan ends."""\n    return frame.months.median()\n',
    ),
    {
      type: 'code',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['traceback of zebras\n'] },
        {
          output_type: 'display_data',
          data: { 'image/png': IMAGE, 'text/plain': ['<Figure size 640x480>'] },
        },
      ],
    },
  ),
  cell(lines('median_tenure(load("customers.csv"))'), { type: 'code' }),
);

/** As nbformat writes it, in one line, and with `\r\n`. */
const WRITTEN: ReadonlyArray<readonly [string, string]> = [
  ['indented', JSON.stringify(CHURN, null, 1)],
  ['in one line', JSON.stringify(CHURN)],
  ['with \\r\\n', JSON.stringify(CHURN, null, 1).replaceAll('\n', '\r\n')],
];

async function chunksOf(text: string, language = 'jupyter') {
  const { structure } = await parseInThread({ path: 'a.ipynb', language, text }, LIMITS);
  return chunk(text, structure);
}

const packed = (text: string) => text.replaceAll(/\s/g, '');
const read = (text: string) => packed(readable(text, 'jupyter'));

describe('search: chunks of notebooks', () => {
  for (const [name, text] of WRITTEN)
    it(`are of cells, at their places in the file, ${name}`, async () => {
      const chunks = await chunksOf(text);
      for (const one of chunks) assert.equal(text.slice(one.start, one.end), one.text);
      const all = chunks.map((one) => read(one.text)).join(' | ');
      for (const words of [
        '# Churn of plans',
        'import pandas as pd',
        'Months until a plan ends.',
        'load("customers.csv")',
      ])
        assert.ok(all.includes(packed(words)), all);
      for (const words of ['zebras', 'Figure', 'scrolled', 'execution_count', 'nbformat', IMAGE.slice(0, 60)])
        assert.ok(!all.includes(packed(words)), `${words}: ${all}`);
      assert.ok(!chunks.some((one) => one.text.includes('zebras') || one.text.includes('nbformat')), all);
      assert.ok(chunks.length <= 3, all);
    });

  it('have the heading above them and the functions in them', async () => {
    const source = [...lines('def a():\n'), ...lines('    return 1\n'.repeat(60))];
    const chunks = await chunksOf(
      JSON.stringify(
        notebook(
          cell(['# Top\n', '\n', `${'long words of prose '.repeat(40)}\n`, '## Below']),
          cell('x = 2', { type: 'code' }),
          cell(source, { type: 'code' }),
        ),
        null,
        1,
      ),
    );
    const [first] = chunks;
    assert.equal(first?.symbol, 'Top');
    const named = chunks.find(({ symbol }) => symbol === 'a');
    assert.deepEqual(first.symbols, ['Top', 'Top > Below']);
    assert.ok(named?.text.endsWith('return 1\\n"\n'));
  });

  it('are cut inside of a source that is too long, also where it is one string', async () => {
    const words = 'the quick "fox" said:\n\tno\\yes '.repeat(400);
    for (const source of [words, lines(words)])
      for (const space of [0, 1]) {
        const chunks = await chunksOf(JSON.stringify(notebook(cell(source)), null, space));
        assert.ok(chunks.every((one) => one.text.length <= CHUNK_SIZES.most));
        const all = chunks.map((one) => read(one.text)).join('');
        assert.ok(all === packed(words));
      }
  });

  it('read notebooks of version 3 and headings of their own kind', async () => {
    const text = JSON.stringify({
      worksheets: [
        {
          cells: [
            { cell_type: 'heading', level: 2, source: ['Old title'] },
            { cell_type: 'code', input: ['walk()'], language: 'python', outputs: [], prompt_number: 3 },
          ],
        },
      ],
      nbformat: 3,
    });
    const [one, ...others] = await chunksOf(text);
    assert.equal(one?.symbol, 'Old title');
    assert.equal(read(one?.text ?? ''), 'Oldtitlewalk()');
    assert.deepEqual(others, []);
  });

  it('stay those of a text for what is not a notebook', async () => {
    for (const text of [
      '{"cells": [',
      '{"a": "b words"}',
      'prose',
      '<<<<<<< ours\n{"cells":[{"source":"a"}]}',
    ])
      assert.equal((await chunksOf(text)).map((one) => one.text).join(''), text);
  });

  it('take time that grows with the length of a hostile notebook', async () => {
    for (const source of ['# a', '- '.repeat(10), '"'.repeat(30), 'def a(): pass']) {
      const cells = Array.from({ length: 1_000_000 / 80 }, (_, i) =>
        cell(source, { type: i % 2 ? 'code' : 'markdown' }),
      );
      const text = JSON.stringify(notebook(...cells));
      const begin = performance.now();
      const { structure } = await parseInThread({ path: 'a.ipynb', text }, { ...LIMITS, maxBytes: 1e8 });
      for (const one of chunk(text, structure)) readable(one.text, 'jupyter');
      assert.ok(performance.now() - begin < 15_000, source);
    }
  });
});

describe('search: what is read of a part of a notebook', () => {
  it('has the length of the part, and the words of its strings at their places', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(20), (strings, from) => {
        const part = strings
          .map((one) => JSON.stringify(one))
          .join(',\n ')
          .slice(from);
        assert.equal(readable(part, 'jupyter').length, part.length);
      }),
    );
    const part = String.raw`"say \"caf\u00e9s\"\tnow\n", "a\\b"], "outputs": [], "x": {"y": 1}}, {"source": ["z"`;
    assert.equal(read(part), 'say"cafés"nowa\\bz');
    assert.equal(readable(part, 'jupyter').indexOf('now'), part.indexOf('now'));
    assert.equal(read(String.raw`of a line\nend", "next"`), 'ofalineendnext');
  });

  it('does not part the two halves of a character', () => {
    const part = String.raw`"print(\"🚀Starting now\")"`;
    assert.equal(read(part), packed('print("🚀Starting now")'));
    assert.ok(Buffer.from(readable(part, 'jupyter')).toString().includes('🚀'));
  });

  it('is all of it where it is something else', () => {
    for (const part of ['{"a": 1} and b', ' ],\n "source": [\n "c\n', 'd'])
      assert.equal(read(part), packed(part));
    assert.equal(readable('"metadata": "a"', 'json'), '"metadata": "a"');
  });
});

describe('search: notebooks', () => {
  let running: Site;
  before(async () => {
    running = await site({ config: AT_REST });
    await running.ingest({
      'churn.ipynb': JSON.stringify(CHURN, null, 1),
      'one.ipynb': JSON.stringify(
        notebook(
          cell('# Kite flights\n\nwind\nspeed matters', {}),
          cell('a = 1\ngust_factor = 2', { type: 'code' }),
        ),
      ),
      'broken.ipynb': '{"cells": [{"cell_type": "walrus", "source": ["unfinished"',
    });
    await running.settled();
  });
  after(() => running.stop());

  it('are found by words of their cells, with the heading or the function of the cell', async () => {
    const text = JSON.stringify(CHURN, null, 1).split(/(?<=\n)/);
    for (const [query, symbol, shown] of [
      ['subscribers leave', 'Churn of plans', 'subscribers'],
      ['median_tenure', 'median_tenure', 'def median_tenure'],
      ['months until plan ends', 'median_tenure', 'Months until'],
    ] as const)
      for (const mode of ['hybrid', 'keyword']) {
        const { results } = await running.search(mode, { query });
        const [hit] = results;
        assert.equal(hit?.path, 'churn.ipynb', query);
        assert.equal(hit?.symbol, symbol, query);
        assert.ok(hit?.content.includes(shown));
        assert.equal(text.slice(hit.start_line - 1, hit.end_line).join(''), hit.content);
        for (const { start, end, line, column } of hit.highlights)
          assert.equal(
            text[line - 1]?.slice(column - 1, column - 1 + end - start),
            hit.content.slice(start, end),
          );
      }
  });

  it('are found by words behind an escape, which are highlighted', async () => {
    const { results } = await running.search('keyword', { query: 'wind speed gust_factor' });
    const [hit] = results;
    assert.equal(hit?.path, 'one.ipynb');
    const shown = new Set(hit?.highlights.map(({ start, end }) => hit.content.slice(start, end)));
    assert.deepEqual(shown, new Set(['wind', 'speed', 'gust_factor']));
    const exact = await running.search('hybrid', { query: '"wind speed"' });
    assert.equal(exact.results[0]?.path, 'one.ipynb');
  });

  it('are not found by their outputs and their JSON, but by patterns', async () => {
    for (const query of ['zebras', 'execution_count', 'nbformat'])
      assert.deepEqual((await running.search('keyword', { query })).results, [], query);
    const { results } = await running.search('pattern', { query: 'traceback of zebras' });
    assert.equal(results[0]?.path, 'churn.ipynb');
    assert.equal(
      (await running.search('semantic', { query: 'zebras' })).results.some((one) =>
        one.content.includes('zebras'),
      ),
      false,
    );
  });

  it('are JSON where they are broken', async () => {
    const { results } = await running.search('keyword', { query: 'walrus' });
    assert.equal(results[0]?.path, 'broken.ipynb');
    assert.equal(results[0]?.language, 'json');
  });
});
