import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  analyse,
  analyseQuery,
  chunk,
  CHUNK_SIZES,
  countTerms,
  eachWord,
  fuse,
  fuseInPools,
  hashedEmbedding,
  pack,
  regionsOf,
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

  it('reads the words that Unicode names, of every text', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('\ud83d'), fc.constant('_é𝐚')),
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        const read: Array<readonly [number, number]> = [];
        eachWord(text, (start, end) => read.push([start, end]));
        const matches = [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)];
        assert.deepEqual(
          read,
          matches.map(({ 0: word, index }) => [index, index + word.length]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('takes accents away, and stems by the rules of a script', () => {
    assert.deepEqual(analyse('Résumé GRÖSSE größe İstanbul données_client'), [
      'resum',
      'gross',
      'gross',
      'istanbul',
      'donnees_client',
      'donne',
      'client',
    ]);
    for (const [one, other] of [
      ['Резервные копии', 'резервная копия'],
      ['ещё', 'еще'],
      ['κωδικός', 'ΚΩΔΙΚΟΊ'],
      ['المُستخدمين', 'مستخدم'],
      ['ग्राहकों', 'ग्राहक'],
    ] as const)
      assert.deepEqual(analyse(one), analyse(other));
    assert.notDeepEqual(analyse('йога'), analyse('иога'));
  });

  it('finds the words of scripts without blanks, in long texts too', () => {
    assert.deepEqual(analyse('ลูกค้าสามารถขอคืนเงินได้'), ['ลูกค้า', 'สามารถ', 'ขอ', 'คืน', 'เงิน', 'ได้']);
    assert.deepEqual(analyse('คืนเงินPayPal'), ['คืน', 'เงิน', 'paypal', 'pai', 'pal']);
    assert.ok(analyse(`${'ขอคืนเงินได้'.repeat(100)}ลูกค้า`).includes('ลูกค้า'));
    assert.equal(analyse('数据库连接'.repeat(100)).length, 499);
    assert.ok(analyse(`东${'a1'.repeat(10_000)}`).length < 600);
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

  const WORDLESS = /^[\s\p{P}\p{S}]*$/u;

  it('makes no chunk of a blank line or a brace that is left between long neighbours', () => {
    const long = `${'word '.repeat(390)}\n`;
    const source = `${long}\n${long}}\n${long}`;
    const starts = [0, long.length, long.length + 1, 2 * long.length + 1, 2 * long.length + 3, source.length];
    const chunks = chunk(source, { language: null, symbols: symbols(source, starts), complete: true });
    assert.deepEqual(
      chunks.map(({ text, startLine }) => [text, startLine]),
      [
        [long, 1],
        [long, 3],
        [long, 5],
      ],
    );
    const blank = chunk('\n'.repeat(5000), { language: null, symbols: [], complete: true });
    assert.equal(blank.length, 1, 'a text without a word is found by its title');
  });

  it('leaves no short rest of a long stretch', () => {
    for (const rows of [21, 22, 25, 30, 41, 45]) {
      const table = `| ${'cell '.repeat(19)} |\n`.repeat(rows);
      const chunks = chunk(table, { language: null, symbols: [], complete: true });
      assert.ok(
        chunks.every(({ text }) => text.length >= CHUNK_SIZES.alone),
        `${rows} rows: ${chunks.map(({ text }) => text.length).join(', ')}`,
      );
    }
  });

  it('tiles every text but for stretches without a word, with true lines, and keeps chunks short', () => {
    const line = fc.string({ maxLength: 120 });
    const text = fc.array(line, { maxLength: 150 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.array(fc.nat(20_000), { maxLength: 12 }), (source, cuts) => {
        const chunks = chunk(source, { language: null, symbols: symbols(source, cuts), complete: true });
        let at = 0;
        for (const one of [...chunks, { start: source.length, end: source.length }]) {
          assert.ok(one.start >= at && (chunks.length < 2 || WORDLESS.test(source.slice(at, one.start))));
          at = one.end;
        }
        for (const one of chunks) {
          assert.ok(chunks.length === 1 || !WORDLESS.test(one.text));
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

  it('raises a document that has further hits near the best, within 1, and its best chunk alone', () => {
    const chunk = (id: string, score: number) => ({
      id,
      doc_id: id.slice(0, 1),
      kind: 'file',
      score,
      scores: {},
    });
    const weak = ['a2', 'a3', 'a4'].map((id) => chunk(id, 7.5));
    const keyword = [chunk('a1', 10), chunk('b1', 9.5), chunk('b2', 8.5), ...weak, chunk('c1', 6)];
    const fused = fuseInPools(keyword, [], { share: 0, weightOf: () => 1 }, 100);
    assert.deepEqual(
      fused.map(({ id }) => id),
      ['b1', 'a1', 'b2', 'a2', 'a3', 'a4', 'c1'],
    );
    assert.equal(fused[0]?.score, 1);
    assert.ok(Math.abs((fused[1]?.score ?? 0) - 1 / (0.95 + 0.15 * 0.85)) < 1e-9);
    assert.equal(fused[0]?.scores.fused, 0.95);
  });

  it('lets a word decide that hardly any candidate has, and meaning the order of the others', () => {
    const found = (prefix: string, scores: readonly number[]) =>
      scores.map((score, at) => {
        const id = `${prefix}${String(at).padStart(2, '0')}`;
        return { id, doc_id: id, kind: 'file', score, scores: {} };
      });
    const falling = Array.from({ length: 30 }, (_, at) => 1 - at / 1000);
    const first = (keyword: ReturnType<typeof found>) =>
      fuseInPools(keyword, found('near', falling), { share: 0.8, weightOf: () => 1 }, 100)
        .slice(0, 3)
        .map(({ id }) => id);
    assert.deepEqual(first(found('named', [5])), ['named00', 'near00', 'near01']);
    const common = Array.from({ length: 40 }, () => 1.2);
    assert.equal(first(found('named', [6, ...common]))[0], 'named00', 'a common word beside it');
    assert.deepEqual(first(found('like', falling)), ['near00', 'near01', 'near02'], 'all have the words');
    const few = found('some', [6, 5, 5, 4.5, 4]);
    assert.equal(first(few)[0], 'near00', 'few have the words, and none stands out');
    assert.deepEqual(first([]), ['near00', 'near01', 'near02']);
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

describe('regions of a document', () => {
  const texts = fc.array(fc.constantFrom('x', 'ab', '\n', '\n\n\n', '\r\n', ' '.repeat(30)), {
    maxLength: 60,
  });
  const options = fc.record({
    maxChars: fc.constantFrom(10, 40, 200),
    contextLines: fc.constantFrom(0, 1, 2),
  });

  it('hold every match once, in order, with its line, and are the same whole and in parts', () => {
    fc.assert(
      fc.property(texts, options, fc.nat(3), fc.nat(3), (parts, bounds, skip, take) => {
        const text = parts.join('');
        const spans = [...text.matchAll(/x+/gu)].map(({ 0: found, index }) => {
          return { start: index, end: index + found.length };
        });
        const whole = regionsOf(text, spans, { ...bounds, skip: 0, take: Infinity });
        assert.equal(whole.total, whole.regions.length);
        const held = whole.regions.flatMap((region) =>
          region.spans.map(({ start, end }) => ({ start: region.start + start, end: region.start + end })),
        );
        assert.deepEqual(held, spans);
        for (const { start, line, endLine, text: shown } of whole.regions) {
          assert.equal(line, text.slice(0, start).split('\n').length);
          assert.equal(text.slice(start, start + shown.length), shown);
          assert.equal(endLine, line + shown.replace(/\n$/u, '').split('\n').length - 1);
        }
        assert.deepEqual(regionsOf(text, spans, { ...bounds, skip, take }), {
          total: whole.total,
          regions: whole.regions.slice(skip, skip + take),
        });
      }),
      { numRuns: 300 },
    );
  });
});
