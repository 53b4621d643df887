import assert from 'node:assert/strict';
import { linesToRead } from '@service-mcp/plugin-search/contract';

describe('search: what a model reads of lines of a notebook', () => {
  /** A notebook whose strings say what they are, with the properties of a cell in this order. */
  const written = (order: readonly string[]) => {
    const outputs = ['a', 'b'].map((name) => ({
      name,
      data: { 'text/plain': [`out ${name}1\n`, `out ${name}2`] },
      text: [`out ${name}3\n`, `out ${name}4`],
    }));
    const cells = [1, 2, 3].map((n) => {
      const source = [`see "${n}a"\n`, '\n', `see\t${n}b: [1]\n`, `see ${n}c`];
      const cell = { cell_type: 'code', metadata: { tags: [`out t${n}`] }, outputs, source };
      return Object.fromEntries(order.map((name) => [name, cell[name as keyof typeof cell]]));
    });
    return JSON.stringify({ cells, nbformat: 4 }, null, 1).split('\n');
  };

  for (const order of [
    ['cell_type', 'metadata', 'outputs', 'source'],
    ['cell_type', 'source', 'metadata', 'outputs'],
  ])
    it(`is the lines of cells, wherever it begins and ends: ${order.join(', ')}`, () => {
      const all = written(order);
      let windows = 0;
      for (let from = 0; from < all.length; from++)
        for (let to = from + 1; to <= all.length; to++) {
          const some = all.slice(from, to);
          const sources = some.filter((line) => line.includes('"see'));
          if (sources.length === 0) continue;
          windows += 1;
          const shown = linesToRead(some.join('\n'), 'jupyter').split('\n');
          assert.deepEqual(
            shown.filter((line) => line !== ''),
            sources.map((line) => String(JSON.parse(line.trim().replace(/,$/, ''))).trimEnd()),
            some.join('\n'),
          );
        }
      assert.ok(windows > 100);
    });

  it('has the rest of a string that was cut, at both ends', () => {
    const text = ['of a \\"line\\"\\n",', '   "next\\n",', '   "last \\u00e9 of'].join('\n');
    assert.equal(linesToRead(text, 'jupyter'), 'of a "line"\nnext\nlast é of');
    assert.equal(linesToRead(String.raw`one\nstring`, 'jupyter'), 'one\nstring');
  });

  it('takes time that grows with its length', () => {
    for (const part of [' ', '\\', '"', ': ', '"a": ', ']']) {
      const begin = performance.now();
      for (const text of [part.repeat(500_000), `"a",${part.repeat(500_000)}"b"`])
        linesToRead(text, 'jupyter');
      assert.ok(performance.now() - begin < 5000, part);
    }
  });
});
