import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addTrigrams,
  candidatesOf,
  compilePattern,
  eachHash,
  eachOrdinal,
  encodeRows,
  FOLD,
  matchesIn,
  Pairs,
  rowOf,
  segmentsToMerge,
  trigramPlan,
} from '@service-mcp/plugin-search/internals';
import { RE2JS } from 're2js';

const WORDS = [
  'foo',
  'bar',
  'Kelvin',
  'straße',
  'ΣΊΣΥΦΟΣ',
  '日本語',
  '😀😁',
  'x',
  '-',
  ' ',
  '\n',
  '\r\n',
  'ſK',
  'İı',
];
const literal = fc
  .constantFrom(...WORDS)
  .map((word) => word.replaceAll(/[-\r\n]/gu, (char) => RE2JS.quote(char)));
const atom = fc.oneof(
  { weight: 5, arbitrary: literal },
  fc.constantFrom(
    '.',
    '\\w',
    '\\d',
    '\\s',
    '\\b',
    '^',
    '$',
    '[a-f]',
    '[^o]',
    '[😀-😂]',
    '[kſ]',
    '(?s:.)',
    '\\pL',
  ),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), tie('expression')).map((parts) => `(?:${parts.join('|')})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '+?'))
      .map(([one, times]) => `(?:${one})${times}`),
    tie('expression').map((one) => `(?i:${one})`),
  ),
}));
const text = fc
  .array(
    fc.constantFrom(
      ...WORDS,
      ...WORDS.map((word) => word.toUpperCase()),
      ...WORDS.map((word) => word.toLowerCase()),
    ),
    {
      maxLength: 12,
    },
  )
  .map((words) => words.join(''));
const options = fc.record({
  case_sensitive: fc.boolean(),
  multiline: fc.boolean(),
  whole_word: fc.boolean(),
});

/** The ordinals of the texts that the index of these texts does not rule out. */
function candidates(
  texts: readonly string[],
  query: ReturnType<typeof compilePattern>,
  bits: number,
): number[] {
  const plan = trigramPlan(query.program);
  if (!plan) return [...texts.keys()];
  const pairs = new Pairs();
  for (const [ordinal, one] of texts.entries()) addTrigrams(one, ordinal, pairs);
  const postings = new Map<number, Uint32Array>();
  for (const [number, row] of encodeRows(pairs.sorted(), bits)) {
    eachHash(row, (hash, from, to) => {
      assert.equal(rowOf(hash, bits), number);
      const documents = new Uint32Array(Math.ceil(texts.length / 32));
      eachOrdinal(row, from, to, (at) => (documents[at >> 5] = (documents[at >> 5] ?? 0) | (1 << (at & 31))));
      postings.set(hash, documents);
    });
  }
  return candidatesOf(plan, texts.length, (hash) => postings.get(hash) ?? new Uint32Array(0));
}

describe('the trigram index', () => {
  it('never rules out a text that matches', () => {
    fc.assert(
      fc.property(
        expression,
        options,
        fc.array(text, { maxLength: 40 }),
        fc.nat(6),
        (query, more, texts, bits) => {
          const pattern = compilePattern({ query, ...more });
          const found = new Set(candidates(texts, pattern, bits));
          for (const [ordinal, one] of texts.entries()) {
            if (!found.has(ordinal)) assert.deepEqual([...matchesIn(one, pattern)], [], JSON.stringify(one));
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('passes over no line that matches, whatever it looks for first', () => {
    let looked = 0;
    fc.assert(
      fc.property(expression, options, text, (query, more, one) => {
        const pattern = compilePattern({ query, ...more });
        if (!pattern.required) return;
        const found = [...matchesIn(one, { ...pattern, required: undefined })];
        looked += Math.min(1, found.length);
        assert.deepEqual([...matchesIn(one, pattern)], found);
        pattern.required.lastIndex = 0;
        if (found.length > 0) assert.ok(pattern.required.test(one), String(pattern.required));
      }),
      { numRuns: 3000 },
    );
    assert.ok(looked > 20, `only ${looked} expressions with something to look for matched`);
  });

  it('looks for what tells most of every match', () => {
    const looksFor = (query: string, case_sensitive = true) => {
      const options = { query, case_sensitive, multiline: false, whole_word: false };
      const source = compilePattern(options).required?.source ?? '';
      return source.replaceAll(/\\u([0-9a-f]{4})/gu, (_, unit: string) =>
        String.fromCharCode(Number.parseInt(unit, 16)),
      );
    };
    assert.equal(looksFor('\\d{4}-\\d{2}'), '[0-9][0-9][0-9][0-9]-[0-9][0-9]');
    assert.equal(looksFor('(?:a|b)+needle\\w*x'), 'needle');
    assert.equal(looksFor('\\w+\\[\\w+\\]\\[\\w+'), '][[0-9A-Z_a-z]');
    assert.equal(looksFor('sk', false), '[sS\u017f][kK\u212a]');
    assert.equal(looksFor('😀+ '), '😀');
    assert.equal(looksFor('\\w+ \\w+'), '');
    assert.equal(looksFor('[^x]one\\ntwo'), 'one');
  });

  it('takes a line feed for the end of a line, however it is written', () => {
    const texts = ['one\ntwo', 'one\r\ntwo', 'one two', 'one\r\n\r\ntwo'];
    for (const [query, expected] of [
      ['one\\ntwo', [0, 1]],
      ['one\\s+two', [0, 1, 2, 3]],
      ['one\\r\\ntwo', [1]],
      ['one$(?:\\n|\\s\\s)^two', [0, 1, 3]],
    ] as const) {
      const pattern = compilePattern({ query, case_sensitive: true, multiline: true, whole_word: false });
      const matching = texts.flatMap((one, at) => (matchesIn(one, pattern).next().done ? [] : [at]));
      assert.deepEqual(matching, expected, query);
      const found = candidates(texts, pattern, 2);
      for (const at of expected) assert.ok(found.includes(at), `${query} rules out ${at}`);
    }
  });

  it('rules out texts without the literals of an expression', () => {
    const texts = [
      'import { a } from "fs"',
      'const task = 1;',
      'export class Store {}',
      'TASK',
      'strasse',
      'abc',
    ];
    for (const [query, expected, case_sensitive = true] of [
      ['import .* from', [0]],
      ['(?:class|const) \\w+', [1, 2]],
      ['taſk', [1, 3], false],
      ['task', [1, 3], false],
      ['(task|store)', [1, 2, 3], false],
      ['[abc]{3}', [5]],
      ['s{2}e|Store\\b', [2, 4]],
      ['absent', []],
      ['\\d+', [0, 1, 2, 3, 4, 5]],
      ['a?', [0, 1, 2, 3, 4, 5]],
    ] as const) {
      const pattern = compilePattern({ query, case_sensitive, multiline: false, whole_word: false });
      assert.deepEqual(candidates(texts, pattern, 2), expected, query);
    }
  });

  it('takes hostile expressions for what they are in bounded time', () => {
    for (const query of [
      '(x?){1000}',
      '(?:[a-h]{10}){20}',
      `(?:${'[ab]'.repeat(200)})+`,
      'y'.repeat(4000),
      '((a|b|c|d){8}){8}',
    ]) {
      const started = performance.now();
      trigramPlan(
        compilePattern({ query, case_sensitive: false, multiline: true, whole_word: true }).program,
      );
      assert.ok(performance.now() - started < 3000, query.slice(0, 30));
    }
  });

  it('folds all characters to one that the engine takes for equal without case', () => {
    const cased = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
      (char) => !/[\ud800-\udfff]/u.test(char) && char.toLowerCase() !== char.toUpperCase(),
    );
    const all = cased.join('');
    for (const char of cased) {
      const matcher = RE2JS.compile(`(?i)${RE2JS.quote(char)}`).matcher(all);
      while (matcher.find()) {
        const other = all.charCodeAt(matcher.start());
        assert.equal(FOLD[other], FOLD[char.charCodeAt(0)], `${char} and ${String.fromCharCode(other)}`);
      }
    }
  });

  it('merges tiers of segments, and all where most entries are old', () => {
    const segments = (sizes: readonly number[]) =>
      sizes.map((documents, id) => ({ id, documents, bits: 0, bytes: 1 }));
    const merged = (sizes: readonly number[], living: number) =>
      segmentsToMerge(segments(sizes), living).map(({ documents }) => documents);
    assert.deepEqual(merged([1, 1, 1], 3), []);
    assert.deepEqual(merged([1, 500, 2, 5, 1], 507), []);
    assert.deepEqual(merged([1, 1, 500, 3, 1], 506), [1, 1, 1, 3]);
    assert.deepEqual(merged([20_000, 20_000, 17_000, 30_000], 90_000), []);
    assert.deepEqual(merged([9000, 9000], 5000), [9000, 9000]);
  });
});
