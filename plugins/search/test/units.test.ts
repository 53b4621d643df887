import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  analyse,
  analyseQuery,
  chunk,
  CHUNK_SIZES,
  compilePattern,
  countTerms,
  fuse,
  globToRegExp,
  hashedEmbedding,
  literal,
  Matcher,
  matchesIn,
  pack,
  TermEmbedder,
  train,
  unpack,
} from '@service-mcp/plugin-search/internals';
import type { SourceSymbol } from '@service-mcp/plugin-syntax/contract';

describe('analysis', () => {
  it('splits identifiers, stems, keeps the whole, drops stop words', () => {
    assert.deepEqual(analyse('getUserById of the snake_case'), [
      'getuserbyid',
      'get',
      'user',
      'id',
      'snake_case',
      'snake',
      'case',
    ]);
    assert.deepEqual(analyse('retries retrying HTTPServer2'), [
      'retri',
      'retri',
      'httpserver2',
      'http',
      'server',
      '2',
    ]);
    assert.deepEqual(analyse('東京都'), ['東京', '京都']);
    assert.deepEqual(analyse('ＡＢＣ'), ['abc']);
    assert.deepEqual(analyseQuery('to be'), { terms: ['to', 'be'], onlyStopWords: true });
  });

  it('never fails on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) =>
        analyse(text).every((term) => !/\s/u.test(term)),
      ),
    );
  });
});

describe('the chunker', () => {
  const symbols = (text: string, cuts: number[]): SourceSymbol[] => {
    const edges = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
    return edges.slice(1).map((end, i) => ({
      name: `s${i}`,
      qualifiedName: `s${i}`,
      kind: 'function',
      start: edges[i] ?? 0,
      end,
      startLine: 1,
      endLine: 1,
      signature: `s${i}()`,
      parent: null,
    }));
  };

  it('tiles every text, with true lines, and keeps chunks short', () => {
    const line = fc.string({ maxLength: 120 });
    const text = fc.array(line, { maxLength: 150 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.array(fc.nat(20_000), { maxLength: 12 }), (source, cuts) => {
        const chunks = chunk(source, { language: null, symbols: symbols(source, cuts), complete: true });
        assert.equal(chunks.map((one) => one.text).join(''), source);
        for (const one of chunks) {
          assert.equal(source.slice(one.start, one.end), one.text);
          assert.ok(one.text.length > 0 && one.text.length <= CHUNK_SIZES.most);
          assert.equal(one.startLine, source.slice(0, one.start).split('\n').length);
          assert.equal(one.endLine, source.slice(0, one.end - 1).split('\n').length);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('fusion', () => {
  it('keeps candidates that one retriever misses, and weighs both', () => {
    const fused = fuse(
      new Map([
        ['a', 10],
        ['b', 5],
      ]),
      new Map([
        ['c', 0.9],
        ['b', 0.5],
      ]),
      0.4,
    );
    assert.deepEqual(
      fused.map(({ id }) => id),
      ['a', 'c', 'b'],
    );
    assert.equal(fused[0]?.fused, 0.6);
  });
});

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
    const atoms = fc.array(fc.oneof(atom, fc.constantFrom('\\n', '(?s:.)', '[^a]+', '(?:\\n|b)*')), {
      minLength: 1,
      maxLength: 5,
    });
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

describe('the embedder', () => {
  it('learns from a corpus that words belong together', () => {
    const topics = [
      ['invoice', 'payment', 'customer', 'billing'],
      ['galaxy', 'telescope', 'orbit', 'planet'],
      ['flour', 'oven', 'bread', 'yeast'],
    ];
    const samples = Array.from({ length: 240 }, (_, i) => {
      const topic = topics[i % 3] ?? [];
      const text = [0, 1, 2].map((k) => topic[(i + k * (1 + (i % 2))) % 4]).join(' ');
      return { kind: 'doc', projectId: '', symbol: '', title: '', text };
    });
    const trainAgain = () => train(samples, { dimensions: 16, maxTerms: 1000, consecutive: true });
    const model = unpack(pack(trainAgain()).bytes);
    const embedder = new TermEmbedder(model);
    const cosine = (embed: (text: string) => Float32Array | null, a: string, b: string) => {
      const [x, y] = [embed(a), embed(b)];
      assert.ok(x && y);
      return x.reduce((sum, value, k) => sum + value * (y[k] ?? 0), 0);
    };
    const counts = (text: string) => countTerms(analyse(text));
    const trained = (text: string) => embedder.embed(counts(text));
    const untrained = (text: string) => hashedEmbedding(counts(text), 160);
    assert.ok(cosine(trained, 'invoice', 'billing') > cosine(trained, 'invoice', 'telescope') + 0.3);
    assert.ok(cosine(trained, 'invoice', 'billing') > cosine(untrained, 'invoice', 'billing') + 0.3);
    assert.equal(pack(trainAgain()).digest, pack(model).digest);
    assert.equal(embedder.embed(counts('unheard')), null);
  });
});
