import assert from 'node:assert/strict';
import {
  bagOf,
  findDocComment,
  makePairs,
  pack,
  passageOf,
  RowGradients,
  analyse,
  countTerms,
  TermEmbedder,
  train,
  type Sample,
} from '@service-mcp/plugin-search/internals';

const sample = (text: string, more: Partial<Sample> = {}): Sample => ({
  kind: 'doc',
  projectId: 'p',
  symbol: '',
  title: '',
  text,
  ...more,
});

/** Ids that are the words themselves: `w12` is 12, any other word is left out. */
const encode = (text: string) => Uint32Array.from(text.match(/(?<=\bw)\d+/g) ?? [], Number);
const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('the pairs of a workspace', () => {
  const pairsOf = (samples: readonly Sample[], consecutive = true) =>
    [
      ...makePairs(samples, {
        encode,
        encoded: samples.map((each) => encode(passageOf(each))),
        random: () => 0.5,
        consecutive,
      }),
    ].map(({ left, right }) => [Array.from(left), Array.from(right)]);

  it('of code: the first sentence of a comment, and the name of a symbol, each with the code without it', () => {
    const text = 'def w1(w2):\n    """w3 w4. w5\n\n    :param w6: w7"""\n    return w8 + w1\n';
    assert.deepEqual(pairsOf([sample(text, { kind: 'code', symbol: 'Store.w1~2', title: 'def w1(w2)' })]), [
      [
        [3, 4],
        [1, 2, 1, 2, 8, 1],
      ],
      [[1], [2, 2, 3, 4, 5, 6, 7, 8]],
    ]);
    assert.deepEqual(pairsOf([sample('w1 w2 w3 w4 w5 w6', { kind: 'code' })]), [], 'no random spans');
  });

  it('of documents: the first terms, and spans, each with the rest', () => {
    const [opening, ...spans] = pairsOf([sample(words(0, 40))]);
    assert.deepEqual(opening, [numbers(0, 8), numbers(8, 40)]);
    assert.equal(spans.length, 2);
    for (const [left = [], right = []] of spans) {
      assert.deepEqual(left, numbers(left[0] ?? 0, (left[0] ?? 0) + left.length));
      assert.deepEqual(
        [...left, ...right].sort((a, b) => a - b),
        numbers(0, 40),
      );
    }
  });

  it('of records: the next one of the same kind and project, unless the samples have gaps', () => {
    const records = [
      ['a', 1],
      ['a', 2],
      ['b', 3],
    ].map(([projectId, at]) => sample(`w${at}`, { kind: 'event', projectId: String(projectId) }));
    assert.deepEqual(pairsOf(records), [[[1], [2]]]);
    assert.deepEqual(pairsOf(records, false), []);
  });

  it('comments of several languages', () => {
    const comments = {
      '/** Adds one.\n * @param x */\nf()': 'Adds one',
      '// Adds\n// one\nf()': 'Adds\none',
      '#!/bin/sh\n# Adds one. Or two.\nf': 'Adds one',
      '-- Adds one\n\nSELECT 1': 'Adds one',
      "def f():\n  '''Adds one\n\n  More'''": 'Adds one',
    };
    for (const [code, sentence] of Object.entries(comments))
      assert.equal(findDocComment(code)?.firstSentence, sentence, code);
    assert.equal(findDocComment('f(x)'), undefined);
  });
});

describe('contrastive tuning', () => {
  it('computes the gradient that finite differences give', () => {
    const width = 4;
    const initial = Float32Array.from({ length: 6 * width }, (_, i) => Math.sin(1.7 * i + 0.3));
    const weights = Float32Array.of(1, 2, 0.5, 1.5, 1, 3);
    const bag = (...ids: number[]) => bagOf(Uint32Array.from(ids), weights);
    const batch = [
      { left: bag(0, 1), right: bag(2, 2, 3) },
      { left: bag(3), right: bag(4, 5) },
      { left: bag(1, 4), right: bag(0) },
    ];
    const tuned = new RowGradients(initial, width, batch.length);
    const { rows } = tuned;
    const loss = () => tuned.add(batch);
    loss();
    const gradients = tuned.gradients.slice();
    assert.ok(gradients.some((gradient) => Math.abs(gradient) > 0.1));
    const step = 1e-3;
    gradients.forEach((gradient, at) => {
      const value = rows[at] ?? 0;
      rows[at] = value + step;
      const above = loss();
      rows[at] = value - step;
      const difference = (above - loss()) / (2 * step);
      rows[at] = value;
      assert.ok(Math.abs(difference - gradient) < 0.01 * Math.max(1, Math.abs(gradient)), `entry ${at}`);
    });
  });

  /** Functions whose comments share no word with their code; words that go together are out of each other's window. */
  const filler = 'if (ready) { open(file); read(line); check(state); log(event); return }';
  const corpus = Array.from({ length: 120 }, (_, i) => {
    const [first, second, third] = [i % 12, (i * 5 + (i >> 3)) % 12, (i * 7 + (i >> 4)) % 12];
    const comment = `asks${first} wants${second} needs${third}`;
    const text = `/** ${comment}. */\n${filler} gives${first}(); takes${second}(); keeps${third}()`;
    return sample(text, { kind: 'code' });
  });
  const options = { dimensions: 32, maxTerms: 1000, consecutive: true };

  it('finds code by words that only comments of other code have', () => {
    const bare = corpus.map(({ text }) => text.replace(/.*\n/, ''));
    const recall = (samples: readonly Sample[]) => {
      const embedder = new TermEmbedder(train(samples, options));
      const embed = (text: string) => embedder.embed(countTerms(analyse(text)));
      const passages = bare.map((text) => embed(text) ?? new Float32Array(32));
      const right = corpus.filter(({ text }, wanted) => {
        const query = embed(/asks.*(?=\.)/.exec(text)?.[0] ?? '') ?? new Float32Array(32);
        const scores = passages.map((passage) =>
          passage.reduce((sum, value, k) => sum + value * query[k]!, 0),
        );
        return scores.filter((score) => score > scores[wanted]! + 1e-6).length === 0;
      });
      return right.length / corpus.length;
    };
    const unpaired = corpus.map((one) => ({ ...one, text: one.text.replace('/**', '') }));
    assert.ok(recall(corpus) > 0.9, `tuned: ${recall(corpus)}`);
    assert.ok(recall(corpus) > recall(unpaired) + 0.2, `without its pairs: ${recall(unpaired)}`);
  });

  it('gives the same model for the same corpus', () => {
    const digest = () => pack(train(corpus, options)).digest;
    assert.equal(digest(), digest());
  });
});
