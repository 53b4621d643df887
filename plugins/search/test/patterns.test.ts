import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compilePattern,
  globToRegExp,
  literal,
  Matcher,
  matchesIn,
} from '@service-mcp/plugin-search/internals';

describe('patterns', () => {
  const options = (query: string) => ({ query, case_sensitive: true, multiline: false, whole_word: false });
  const atom = fc.constantFrom(
    'a',
    'b',
    '_',
    '\\w',
    '\\d',
    '\\s',
    '\\b',
    '[a-c]',
    '[^a]',
    '.',
    '(a|b)',
    'x?',
    'ab+',
    '^',
    '$',
    '\\.',
    '-',
    'abc',
    '(?:ab|a1)',
  );
  it('find the same as JavaScript on ASCII, line by line', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', 'x', '1', ' ', '\n', '\r\n', '.', '-', '_', 'abc'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        text,
        (atoms, cased, source) => {
          const query = atoms.join('');
          const expected: string[] = [];
          for (const { 0: line, index } of source.matchAll(/(?:(?!\r?\n)[^])+/gu)) {
            for (const match of line.matchAll(new RegExp(query, cased ? 'gm' : 'gim'))) {
              if (match[0] !== '') expected.push(`${index + match.index}:${match[0]}`);
            }
          }
          const pattern = compilePattern({ ...options(query), case_sensitive: cased });
          const found = [...matchesIn(source, pattern)].map(
            ({ start, end }) => `${start}:${source.slice(start, end)}`,
          );
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('find the same in a text with byte order mark and `\\r\\n`, over lines', () => {
    const atoms = fc.array(
      fc.oneof(atom, fc.constantFrom('\\n', '(?s:.)', '[^a]+', '(?:\\n|b)*', '\\A', '\\z')),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'x', '1', ' ', '\n', '.', 'abc'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(atoms, fc.boolean(), text, (parts, multiline, source) => {
        const pattern = compilePattern({ ...options(parts.join('')), multiline });
        const stored = `\uFEFF${source.replaceAll('\n', '\r\n')}`;
        const expected = [...matchesIn(source, pattern)].map(({ start, end }) => ({
          start: start + 1 + source.slice(0, start).split('\n').length - 1,
          text: source.slice(start, end).replaceAll('\n', '\r\n'),
        }));
        const found = [...matchesIn(stored, pattern)].map(({ start, end }) => ({
          start,
          text: stored.slice(start, end),
        }));
        assert.deepEqual(found, expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('find carriage returns and byte order marks that the expression names', () => {
    const stored = '\uFEFFone\r\ntwo\r\nthree\rfour\n';
    const found = (query: string) =>
      [...matchesIn(stored, compilePattern({ ...options(query), multiline: true }))].map(({ start, end }) => [
        start,
        stored.slice(start, end),
      ]);
    assert.deepEqual(found('\\r\\n'), [
      [4, '\r\n'],
      [9, '\r\n'],
    ]);
    assert.deepEqual(found('one\\r?\\ntwo$'), [[1, 'one\r\ntwo']]);
    assert.deepEqual(found('\\r'), [
      [4, '\r'],
      [9, '\r'],
      [16, '\r'],
    ]);
    assert.deepEqual(found('one\\r|^two$'), [
      [1, 'one\r'],
      [6, 'two'],
    ]);
    assert.deepEqual(found('^\\x{FEFF}\\w'), [[0, '\uFEFFo']]);
    assert.deepEqual(found('\\A\\w+$'), [[1, 'one']]);
  });

  it('are refused where wide ranges without case are many', () => {
    const compile = (query: string, case_sensitive: boolean) =>
      compilePattern({ ...options(query), case_sensitive });
    const wide = `[${'!-\u{1e942}'.repeat(20)}]`;
    for (const query of [wide, '[--\u{1e942}]'.repeat(20), '[a-\\x{1e942}]'.repeat(20)]) {
      assert.throws(() => compile(query, false), /too many wide ranges/);
      assert.throws(() => compile(`(?s-m:(?i)${query})`, true), /too many wide ranges/);
      assert.ok(compile(query, true));
    }
    assert.ok(compile('[一-龥a-zA-Z]'.repeat(40), false));
    assert.ok(compile('[!-\u{1e942}]', false));
  });

  it('do not block other work, end in time, and return the matches so far', async () => {
    const matcher = new Matcher();
    const run = (query: string, text: string, ms: number, signal?: AbortSignal) =>
      matcher.match(
        {
          text,
          settings: { ...options(query), content_max_chars: 800, context_lines: 0, output_format: 'full' },
          skip: 1,
          take: 2,
          deadline: Date.now() + ms,
        },
        compilePattern(options(query)),
        signal,
      );
    const huge = 'x'.repeat(1_000_000);
    try {
      const long = run('(x?){1000}', huge, 200);
      const first = await Promise.race([
        long.then(() => 'the match'),
        new Promise((r) => setTimeout(r, 1, 'the rest')),
      ]);
      assert.equal(first, 'the rest');
      assert.equal(await long, undefined);
      const abort = new AbortController();
      const dropped = run('(x?){1000}', huge, 60_000, abort.signal);
      abort.abort(new Error('gone'));
      await assert.rejects(dropped, /gone/u);
      for (const text of [
        'needle\n\n\n\n\n\n'.repeat(3),
        `${'needle\n\n\n\n\n\n'.repeat(3)}${'y'.repeat(50_000)}`,
      ]) {
        const found = await run('needle', text, 10_000);
        assert.deepEqual(
          [found?.total, found?.whole, found?.regions.map(({ line }) => line)],
          [3, true, [7, 13]],
        );
      }
    } finally {
      await matcher.close();
    }
    await assert.rejects(run('x', huge, 1000), /stopping/u);
  });

  it('globs match as written', () => {
    const matches = (glob: string, path: string) => new RegExp(globToRegExp(glob), 'u').test(path);
    assert.ok(
      matches('src/**/*.ts', 'src/a/b.ts') && matches('src/**/*.ts', 'src/b.ts') && matches('*.ts', 'x/y.ts'),
    );
    assert.ok(
      !matches('src/*.ts', 'src/a/b.ts') && !matches('*.ts', 'x.tsx') && matches('{a,b}/[!c].md', 'b/d.md'),
    );
    for (const folder of ['docs/', '/docs/', './docs/**'])
      assert.ok(
        matches(folder, 'docs/a/b.md') && !matches(folder, 'x/docs/a.md') && !matches(folder, 'docs'),
      );
    assert.ok(matches('/a.md', 'a.md') && !matches('/a.md', 'x/a.md'));
    for (const bad of [
      'a[b',
      '[z-a]',
      '[!9-0]x',
      '[a-\\d]',
      '{a',
      `${'{'.repeat(9)}a${'}'.repeat(9)}`,
      '*a'.repeat(51),
    ])
      assert.throws(() => globToRegExp(bad), /path_glob/u, bad);
    assert.equal(literal("it's"), "'it''s'");
  });
});
