import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { Located, Structure } from '@service-mcp/plugin-syntax/contract';
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

  it('nests and orders symbols and facts of any mutilated source', async () => {
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
          const structure = await syntax.parse({ path, text: edited, facts: true });
          assertNested(structure, edited);
          assertLocated(structure, edited);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  }).timeout(60_000);
});

/** Facts are in source order, inside the text and the symbol around them, and point at their names. */
function assertLocated({ symbols, facts }: Structure, text: string): void {
  if (!facts) return;
  assert.equal(facts.definitions.length, symbols.length);
  const { definitions: _, ...lists } = facts;
  for (const list of Object.values(lists)) {
    (list as readonly (Located & { end?: number })[]).forEach((fact, index) => {
      const { start, line, column, symbol, end = start + 1 } = fact;
      assert.ok(start >= 0 && start < end && end <= text.length, 'inside the text');
      assert.deepEqual([line, column], positionOf(text, start));
      assert.ok(start >= (list[index - 1]?.start ?? 0), 'source order');
      const around = symbol === null ? undefined : symbols[symbol];
      assert.ok(!around || (around.start <= start && start < around.end), 'inside its symbol');
    });
  }
  for (const { name, start, scope } of facts.bindings) {
    assert.ok(name === null || text.startsWith(name.slice(0, 1), start), 'at its name');
    assert.ok(scope.start <= start && start < scope.end && scope.end <= text.length, 'inside its scope');
  }
  for (const { receiverCall } of facts.calls) assert.ok(receiverCall === null || facts.calls[receiverCall]);
  for (const { valueCall } of facts.bindings) assert.ok(valueCall === null || facts.calls[valueCall]);
}

function positionOf(text: string, offset: number): [number, number] {
  const before = text.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
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
