import { findDocComment } from './doc-comment.js';

/** The parts of a chunk that training reads. */
export interface Sample {
  readonly kind: string;
  readonly projectId: string;
  /** The qualified name of its symbol, or empty. */
  readonly symbol: string;
  readonly title: string;
  readonly text: string;
}

/** Two texts that belong together, as ids of their terms. */
export interface Pair {
  readonly left: Uint32Array;
  readonly right: Uint32Array;
}

/** Fewer terms of a comment are a label, not a description. */
const MIN_SENTENCE_TERMS = 2;
const OPENING_TERMS = 8;
const MIN_SPAN_TERMS = 8;
const MAX_SPAN_TERMS = 24;
const SPANS = 2;
/** Shorter texts cannot be divided. */
const MIN_TERMS = 4;

/**
 * The pairs that a workspace supplies (inverse cloze task: Lee, Chang and Toutanova, ACL 2019). Code: the first sentence
 * of a comment and the code without it; the name of a symbol and the code without it. Documents: the first terms and
 * the rest, random spans and the rest. Other kinds: spans, and a record with the next one of its kind and project.
 * `consecutive`: the samples are complete and in order, so that the next sample is the next record.
 */
export function* makePairs(
  samples: readonly Sample[],
  options: {
    readonly encode: (text: string) => Uint32Array;
    /** The passages of the samples, encoded. */
    readonly encoded: readonly Uint32Array[];
    readonly random: () => number;
    readonly consecutive: boolean;
  },
): Generator<Pair> {
  const { encode, encoded, random, consecutive } = options;
  let previous: { readonly sample: Sample; readonly terms: Uint32Array } | undefined;
  for (const [at, sample] of samples.entries()) {
    if (sample.kind === 'code') {
      yield* filled(codePairs(sample, encode));
      continue;
    }
    const terms = encoded[at]!;
    if (sample.kind === 'doc') yield* filled([split(terms, 0, OPENING_TERMS)]);
    else {
      if (consecutive && previous && follows(sample, previous.sample))
        yield* filled([{ left: previous.terms, right: terms }]);
      previous = { sample, terms };
    }
    yield* filled(spanPairs(terms, random));
  }
}

/** Those that have terms on both sides. */
function filled(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(({ left, right }) => left.length > 0 && right.length > 0);
}

/** The text of a chunk as it is embedded. */
export function passageOf({ title, text }: Pick<Sample, 'title' | 'text'>): string {
  return `${title}\n${text}`;
}

function codePairs(sample: Sample, encode: (text: string) => Uint32Array): Pair[] {
  const pairs: Pair[] = [];
  const comment = findDocComment(sample.text);
  const sentence = comment && encode(comment.firstSentence);
  if (comment && sentence && sentence.length >= MIN_SENTENCE_TERMS) {
    pairs.push({ left: sentence, right: encode(passageOf({ ...sample, text: comment.rest })) });
  }
  const name = sample.symbol.split('.').at(-1)?.replace(/~\d+$/, '') ?? '';
  if (name !== '') pairs.push({ left: encode(name), right: encode(passageOf(sample).replaceAll(name, ' ')) });
  return pairs;
}

function spanPairs(terms: Uint32Array, random: () => number): Pair[] {
  if (terms.length < MIN_TERMS) return [];
  return Array.from({ length: SPANS }, () => {
    const wanted = MIN_SPAN_TERMS + Math.floor(random() * (MAX_SPAN_TERMS - MIN_SPAN_TERMS + 1));
    const length = Math.min(wanted, terms.length >> 1);
    const start = Math.floor(random() * (terms.length - length + 1));
    return split(terms, start, start + length);
  });
}

/** A range of the terms, and the terms around it. */
function split(terms: Uint32Array, start: number, end: number): Pair {
  const right = Uint32Array.from([...terms.subarray(0, start), ...terms.subarray(end)]);
  return { left: terms.slice(start, end), right };
}

function follows(next: Sample, previous: Sample): boolean {
  return next.kind === previous.kind && next.projectId === previous.projectId;
}
