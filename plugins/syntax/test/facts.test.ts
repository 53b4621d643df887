import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { Facts, Located, Structure } from '@service-mcp/plugin-syntax/contract';
import { openSyntax, type OpenSyntax } from './open.js';

const FIXTURES = new URL('../fixtures/facts/', import.meta.url);

const LISTS = ['imports', 'exports', 'inheritance', 'calls', 'bindings', 'references', 'testCases'] as const;

/** One line per fact: list, position, symbol, fields. Without nulls and falses; calls by name, scopes by lines. */
function lines({ symbols, complete, facts }: Structure, text: string): string[] {
  assert.ok(facts);
  const nameOf = (symbol: number | null): string =>
    symbol === null ? '-' : (symbols[symbol]?.qualifiedName ?? '');
  const shown = (key: string, value: unknown): string => {
    if (key === 'scope') {
      const { start, end } = value as { start: number; end: number };
      return `scope=${lineAt(text, start)}-${lineAt(text, end - 1)}`;
    }
    if (key === 'end') return `to=${lineAt(text, Number(value) - 1)}`;
    if (key === 'receiverCall' || key === 'valueCall')
      return `${key}=${String(value)}(${facts.calls[Number(value)]?.name ?? ''})`;
    return value === true ? key : `${key}=${String(value)}`;
  };
  const line = (list: string, { line: row, column, symbol, ...rest }: Located): string =>
    [
      `${list} ${row}:${column} ${nameOf(symbol)}`,
      ...Object.entries<unknown>(rest)
        .filter(([key, value]) => key !== 'start' && value !== null && value !== false)
        .map(([key, value]) => shown(key, value)),
    ].join(' ');
  return [
    complete ? 'complete' : 'incomplete',
    ...facts.definitions.map(({ exported, test }, index) =>
      ['definition', nameOf(index), ...(exported ? ['exported'] : []), ...(test ? ['test'] : [])].join(' '),
    ),
    ...LISTS.flatMap((list) => facts[list].map((fact: Located) => line(list, fact))),
  ];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

describe('syntax: facts of each language', () => {
  let syntax: OpenSyntax;
  before(async () => {
    syntax = await openSyntax();
  });
  after(() => syntax.close());

  const factsOf = async (path: string, text: string): Promise<Facts> => {
    const { facts } = await syntax.parse({ path, text, facts: true });
    assert.ok(facts);
    return facts;
  };

  it('gives the hand-checked facts of every fixture, at least one per language', async () => {
    const covered = new Set<string | null>(['markdown', 'restructuredtext']);
    for (const name of (await readdir(FIXTURES)).filter((file) => file.endsWith('.txt'))) {
      const path = name.replace(/\.txt$/, '');
      const text = await readFile(new URL(name, FIXTURES), 'utf8');
      const expected = await readFile(new URL(`${path}.facts`, FIXTURES), 'utf8');
      const structure = await syntax.parse({ path, text, facts: true });
      covered.add(structure.language);
      assert.deepEqual(lines(structure, text), expected.trimEnd().split('\n'), path);
    }
    assert.deepEqual(covered, new Set(syntax.languages()));
  });

  it('gives no facts without a request, and none for documents', async () => {
    const fresh = await openSyntax();
    assert.equal((await fresh.parse({ path: 'a.ts', text: 'f();' })).facts, undefined);
    assert.equal((await fresh.parse({ path: 'a.md', text: '# A', facts: true })).facts, undefined);
    await fresh.close();
  });

  it('gives the same symbols with facts as without', async () => {
    const fresh = await openSyntax();
    for (const name of (await readdir(FIXTURES)).filter((file) => file.endsWith('.txt'))) {
      const path = name.replace(/\.txt$/, '');
      const text = await readFile(new URL(name, FIXTURES), 'utf8');
      const { facts: _, ...withFacts } = await syntax.parse({ path, text, facts: true });
      assert.deepEqual(await fresh.parse({ path, text }), withFacts, path);
    }
    await fresh.close();
  });

  it('attributes parameters and returns to their own function', async () => {
    const { bindings } = await factsOf('a.ts', 'function f(a: A) { return list.map((a: B) => a); }');
    assert.deepEqual(
      bindings.map(({ kind, name, type, scope }) => [kind, name, type, scope.start]),
      [
        ['parameter', 'a', 'A', 0],
        ['return', null, null, 17],
        ['variable', 'a', 'B', 35],
      ],
    );
  });

  it('gives partial facts for a broken text', async () => {
    const { facts, complete } = await syntax.parse({
      path: 'a.py',
      text: 'import os\ndef f(:\n  os.run(\n',
      facts: true,
    });
    assert.deepEqual([complete, facts?.imports.length], [false, 1]);
  });
});
