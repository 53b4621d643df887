import assert from 'node:assert/strict';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { openSyntax } from './open.js';

const LIMITS = { timeLimitMs: 5000, maxBytes: 1024 * 1024, parseCode: true };
const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', source: '# Churn \u201cnow\u201d\n\ntext\n## Plans\n' },
    { cell_type: 'code', outputs: [{ text: ['# no\n'] }], source: ['def load(path):\n', '    return "a"\n'] },
    { cell_type: 'code', outputs: [], source: [' \n'] },
    { cell_type: 'markdown', source: ['## load\n'] },
  ],
  metadata: { language_info: { name: 'python' } },
};

describe('syntax: notebooks', () => {
  const text = JSON.stringify(NOTEBOOK, null, 1);

  it('have the headings of their cells around the symbols of their code', async () => {
    const { structure } = await parseInThread({ path: 'a.ipynb', text }, LIMITS);
    const found = structure.symbols.map(({ kind, qualifiedName, start, parent }) => [
      kind,
      qualifiedName,
      text.slice(start).trimStart().slice(0, 8),
      parent,
    ]);
    assert.deepEqual(found, [
      ['heading', 'Churn “now”', '"# Churn', null],
      ['heading', 'Churn “now” > Plans', '## Plans', 0],
      ['function', 'load', '"def loa', 1],
      ['heading', 'Churn “now” > load', '"## load', 0],
    ]);
    assert.deepEqual(
      structure.passages?.map(({ start, end, isApart }) => [isApart, text.slice(start, end).slice(1, 5)]),
      [
        [false, '# Ch'],
        [true, 'def '],
        [false, '## l'],
      ],
    );
  });

  it('have them without their code where it is not read', async () => {
    const { structure } = await parseInThread({ path: 'a.ipynb', text }, { ...LIMITS, maxBytes: 10 });
    assert.equal(structure.complete, false);
    assert.equal(structure.symbols.length, 3);
    assert.equal(structure.passages?.length, 3);
  });

  it('are JSON where they are not whole or have no cells', async () => {
    const syntax = await openSyntax();
    assert.equal(syntax.languageOf('a.ipynb', text), 'jupyter');
    assert.equal(syntax.languageOf('a.ipynb', `\uFEFF${text}`), 'jupyter');
    for (const other of [text.slice(0, -1), '{}', '', '['.repeat(200_000)])
      assert.equal(syntax.languageOf('a.ipynb', other), 'json', other.slice(0, 20));
    await syntax.close();
  });

  it('with very many headings are read in time that grows with them', async () => {
    for (const source of ['# a\n'.repeat(200_000), Array.from({ length: 100_000 }, () => '# a\n')]) {
      const many = JSON.stringify({ cells: [{ cell_type: 'markdown', source }] });
      const begin = performance.now();
      await parseInThread({ path: 'a.ipynb', text: many }, { ...LIMITS, maxBytes: 1e8 });
      assert.ok(performance.now() - begin < 15_000);
    }
  });
});
