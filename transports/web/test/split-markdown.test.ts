import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as SplitModule from '../client/src/ui/split-markdown.js';

const SOURCE = fileURLToPath(new URL('../../client/src/ui/split-markdown.ts', import.meta.url));

describe('a text of memory', () => {
  let split: typeof SplitModule;
  before(async () => {
    split = (await runnerImport<typeof SplitModule>(SOURCE, { configFile: false })).module;
  });
  const blocks = (text: string) => split.splitBlocks(text).map(({ kind, text: part }) => [kind, part]);
  const pieces = (text: string) => split.splitInline(text).map(({ kind, text: part }) => [kind, part]);

  it('has its headings, code and tables as such', () => {
    assert.deepEqual(
      blocks(
        '# Beds\n\nSow in *May*.\n```ts\n\nconst a = 1;\n  # no heading\n```\n```\nb\n```\n| a | b |\n|---|---|\n- c',
      ),
      [
        ['heading', '# Beds'],
        ['text', 'Sow in *May*.'],
        ['code', 'const a = 1;\n  # no heading'],
        ['code', 'b'],
        ['code', '| a | b |\n|---|---|'],
        ['text', '- c'],
      ],
    );
    assert.deepEqual(blocks('~~~\nleft open'), [['code', 'left open']]);
    assert.deepEqual(pieces('Run `npm ci` as **the owner** does.'), [
      ['text', 'Run '],
      ['code', 'npm ci'],
      ['text', ' as '],
      ['strong', 'the owner'],
      ['text', ' does.'],
    ]);
  });

  it('stays as it is where it is not Markdown', () => {
    for (const text of ['#12 is fixed', 'a | b\n  indented\n\n\nfar', '```a``` and b'])
      assert.deepEqual(blocks(text), [['text', text]]);
    assert.deepEqual(blocks(''), []);
    for (const text of ['src/**/a.ts and **/b.ts', '2**3**4', 'a ` b', '** a **', '`\n`'])
      assert.deepEqual(pieces(text), [['text', text]]);
  });
});
