import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { Structure } from '@service-mcp/plugin-syntax/contract';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { openSyntax, type OpenSyntax } from './open.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);

describe('syntax: offsets', () => {
  let syntax: OpenSyntax;
  before(async () => {
    syntax = await openSyntax();
  });
  after(() => syntax.close());

  it('counts UTF-16 units, after emoji and CJK as well', async () => {
    const cases = [
      [
        'a.ts',
        "const s = '🙂🙂漢字';\n/** 说明 👍 */\nfunction 名前(a = '😀') {}\nclass B {}\n",
        '名前',
        "/** 说明 👍 */\nfunction 名前(a = '😀') {}",
      ],
      ['a.py', 's = "🙂漢"\nclass Ä:\n    def é(self): return "👍"\n', 'é', 'def é(self): return "👍"'],
      ['a.md', '# 🙂 漢\n\n👍\n\n## B\nc\n', 'B', '## B\nc'],
    ] as const;
    for (const [path, text, name, covered] of cases) {
      const found = (await syntax.parse({ path, text })).symbols.find((symbol) => symbol.name === name);
      assert.equal(found && text.slice(found.start, found.end), covered);
    }
  });

  it('counts lines with CRLF and a byte order mark', async () => {
    const text = '\uFEFF/** doc */\r\nexport function a() {\r\n}\r\n\r\nfunction b() {}\r\n';
    const { symbols } = await syntax.parse({ path: 'a.js', text });
    assert.deepEqual(
      symbols.map(({ name, startLine, endLine }) => [name, startLine, endLine]),
      [
        ['a', 1, 3],
        ['b', 5, 5],
      ],
    );
    assert.equal(
      (await syntax.parse({ path: 'a.md', text: '---\r\nx: 1\r\n---\r\n# A\r\n' })).symbols[0]?.startLine,
      4,
    );
  });

  it('finds a heading behind a byte order mark', async () => {
    for (const [path, text] of [
      ['a.md', '# A\n'],
      ['a.md', 'A\n===\n'],
      ['a.adoc', '= A\n'],
      ['a.org', '* A\n'],
      ['a.typ', '= A\n'],
      ['a.tex', '\\section{A}\n'],
      ['a.rst', 'A\n===\n'],
      ['a.rst', '===\n A\n===\n'],
      ['a.html', '<h1>A</h1>\n'],
    ] as const) {
      const { symbols } = await syntax.parse({ path, text: `\uFEFF${text}` });
      assert.deepEqual(
        symbols.map(({ name, start }) => [name, start]),
        [['A', 0]],
        text,
      );
    }
  });

  it('nests and orders symbols of any mutilated source, and places all of its code', async () => {
    const names = (await readdir(FIXTURES, { recursive: true })).filter((name) => name.endsWith('.txt'));
    const sources = await Promise.all(
      names.map(async (name) => ({
        path: name.replace(/\.txt$/, ''),
        text: await readFile(new URL(name, FIXTURES), 'utf8'),
      })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.array(
          fc.tuple(
            fc.nat(2000),
            fc.nat(60),
            fc.constantFrom('', '{', '}', '(', '"', '/*', '\n', '🙂', '# x\n', '@d '),
          ),
          {
            maxLength: 4,
          },
        ),
        async ({ path, text }, edits) => {
          let edited = text;
          for (const [at, cut, insert] of edits) {
            edited = edited.slice(0, at % edited.length) + insert + edited.slice((at % edited.length) + cut);
            if (edited === '') edited = ' ';
          }
          const source = { path, text: edited, code: true };
          const { structure } = await parseInThread(source, { ...syntax.limits, timeLimitMs: 20_000 });
          assertNested(structure, edited);
          assertPlaced(structure, edited);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});

/** Each part of the code is inside the text, on its line, and belongs to a symbol that exists. */
function assertPlaced({ symbols, code }: Structure, text: string): void {
  if (!code) return;
  assert.equal(code.definitions.length, symbols.length);
  const lines = new Map<number, number>();
  let line = 1;
  for (let at = 0; at <= text.length; at++) {
    lines.set(at, line);
    if (text[at] === '\n') line += 1;
  }
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (typeof part !== 'object' || part === null) return;
    const { start, line: on, symbol } = part as { start?: number; line?: number; symbol?: number };
    if (start !== undefined) assert.equal(on, lines.get(start), 'on its line, inside the text');
    if (symbol !== undefined) assert.ok(symbols[symbol], 'a symbol of the file');
    Object.values(part).forEach(visit);
  };
  visit(code.body);
}

function assertNested({ symbols }: Structure, text: string): void {
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  symbols.forEach((symbol, index) => {
    assert.ok(symbol.start >= 0 && symbol.start < symbol.end && symbol.end <= text.length, 'inside the text');
    assert.deepEqual([symbol.startLine, symbol.endLine], [lineAt(symbol.start), lineAt(symbol.end - 1)]);
    assert.ok(symbol.name !== '' && symbol.signature.length <= 300);
    const previous = symbols[index - 1];
    if (previous) assert.ok(previous.start <= symbol.start, 'source order');
    if (symbol.parent !== null) {
      const parent = symbols[symbol.parent];
      assert.ok(parent && symbol.parent < index, 'outer before inner');
      assert.ok(parent.start <= symbol.start && symbol.end <= parent.end, 'inside the parent');
    }
  });
  assert.equal(
    new Set(symbols.map(({ qualifiedName }) => qualifiedName)).size,
    symbols.length,
    'unique names',
  );
}
