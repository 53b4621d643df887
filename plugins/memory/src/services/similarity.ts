import { LRUCache } from 'lru-cache';
import { analyse } from '@service-mcp/plugin-search/contract';
import { gistOf } from './gist.js';
import { normal, wordsIn, type Words } from './words.js';

/** Words of a shingle. */
const SHINGLE_WORDS = 2;
/** Bands and the hashes in each: texts with a similarity of 0.8 share a band in 99.6 of 100 cases, of 0.5 in 66. */
const BANDS = 8;
const ROWS_A_BAND = 3;

/** Records at least as similar as this are duplicates of each other. */
const DUPLICATE = 0.8;

/** A content with fewer words than this does not say what it is about. */
const FEW_WORDS = 3;

/** What is compared of a record. */
interface Reading {
  readonly shingles: ReadonlySet<number>;
  /** A hash of all its words, in their order. */
  readonly whole: number;
  /** Its distinct numbers, negations and signs, each as one text. */
  readonly numbers: string;
  readonly negations: string;
  readonly signs: string;
  /** What is between two words of one name, path or term (`src/app`, `x-api-key`), by their shingle. */
  readonly joints: ReadonlyMap<number, string>;
  /** See {@link gistOf}. */
  readonly gist: readonly string[];
}

/** By text: each new record is compared with the same ones before it. Bounded by their characters, some 10 bytes each. */
const readings = new LRUCache<string, Reading>({
  maxSize: 3_000_000,
  sizeCalculation: (_reading, text) => text.length,
});

function textOf({ title, content }: Words): string {
  return `${title} ${content}`;
}

function read(record: Words): Reading {
  const text = textOf(record);
  const known = readings.get(text);
  if (known) return known;
  const words = wordsIn(text);
  const reading = {
    shingles: shinglesIn(words),
    whole: hashOf(words.join(' ')),
    numbers: found(text, NUMBER),
    negations: found(text, NEGATION),
    signs: found(text, SIGN),
    joints: jointsIn(text),
    gist: gistOf(record),
  };
  readings.set(text, reading);
  return reading;
}

/** The shingles of a record: hashes of its neighbouring words in lower case, after NFKC. Never empty. */
export function shinglesOf(record: Words): ReadonlySet<number> {
  return read(record).shingles;
}

function shinglesIn(words: readonly string[]): ReadonlySet<number> {
  const shingles = new Set<number>();
  const last = Math.max(1, words.length - SHINGLE_WORDS + 1);
  for (let at = 0; at < last; at++) shingles.add(hashOf(words.slice(at, at + SHINGLE_WORDS).join(' ')));
  return shingles;
}

function jointsIn(text: string): ReadonlyMap<number, string> {
  const joints = new Map<number, string>();
  for (const [term] of normal(text).matchAll(JOINED)) {
    const parts = term.match(WORD_OR_JOINT) ?? [];
    for (let at = 2; at < parts.length; at += 2) {
      const pair = hashOf(`${parts[at - 2]} ${parts[at]}`);
      const known = joints.get(pair)?.split(' ') ?? [];
      joints.set(pair, [...new Set([...known, parts[at - 1] ?? ''])].sort().join(' '));
    }
  }
  return joints;
}

/**
 * Whether two records say the same in other forms of the same words: all words of their gists are the same, in the same
 * order; one of them may say some twice, as titles do. A word more, another one or another order (`tabs over spaces`) may
 * say something else.
 */
export function isParaphrase(a: Words, b: Words): boolean {
  const [one, other] = [read(a).gist, read(b).gist];
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 0 || !isInOrder(short, long)) return false;
  const words = new Set(short);
  return long.every((word) => words.has(word));
}

function isInOrder(words: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  return words.every((word) => (at = others.indexOf(word, at) + 1) > 0);
}

/** Whether a text has every word of another one, in its order: then the other one says nothing that it lacks. */
export function holdsWordsOf(text: Words, other: Words): boolean {
  return isInOrder(wordsIn(textOf(other)), wordsIn(textOf(text)));
}

/** Jaccard's coefficient of two sets of shingles, 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const shingle of a) if (b.has(shingle)) shared++;
  return shared / (a.size + b.size - shared);
}

/**
 * Keys of locality-sensitive hashing: records with similar shingles share at least one with high probability (Broder, "On
 * the resemblance and containment of documents", 1997; banding as in Leskovec, Rajaraman and Ullman, "Mining of Massive
 * Datasets", 3.4). Signed 32-bit integers, of which each band has its own.
 */
export function shingleBandsOf(record: Words): number[] {
  const hashes = shinglesOf(record);
  const bands: number[] = [];
  for (let band = 0; band < BANDS; band++) {
    let key = band;
    for (let row = 0; row < ROWS_A_BAND; row++) {
      const seed = Math.imul(band * ROWS_A_BAND + row + 1, 0x9e3779b1);
      let least = 0xffffffff;
      for (const hash of hashes) least = Math.min(least, mix(hash ^ seed));
      key = mix(Math.imul(key, 31) ^ least);
    }
    bands.push(key | 0);
  }
  return bands;
}

/** The key of a further band, which records of the same words share, whatever the number of similar ones. */
export function exactBandOf(record: Words): number {
  return keyOf(BANDS, read(record).whole);
}

/** The key of one more, which records share whose gists have the same words; none of a record without a gist. */
export function gistBandsOf(record: Words): number[] {
  const words = [...new Set(read(record).gist)].sort();
  return words.length === 0 ? [] : [keyOf(BANDS + 1, hashOf(words.join(' ')))];
}

function keyOf(band: number, hash: number): number {
  return mix(Math.imul(mix(band), 31) ^ hash) | 0;
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** The finaliser of MurmurHash3: every bit of the input changes half of the output's. */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const NUMBER = /\d+(?:[.,]\d+)*/gu;
/** Words that turn a statement round, in a few languages. */
const NEGATION =
  /(?<![\p{L}\p{N}])(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|hardly|without|cannot|\p{L}+n['’]t|nicht|kein\p{L}*|nie|ne|pas|jamais|sans|non|nunca|sin|não|niet|geen|inte|ikke|değil|не|нет|никогда)(?![\p{L}\p{N}])/giu;

/** Signs that are not part of a word: of numbers, names (C++, C#), comparisons, questions and currencies, and emoji. */
const SIGN = /(?<=\p{L})#|(?<![\p{L}\p{M}\p{N}])-(?=\d)|!(?==)|[%&@?？؟\p{Sc}\p{Sm}\p{So}]/gu;

/** Words with signs between them and no blank, and the parts of these. */
const JOINED = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:[./\\*:_-]+[\p{L}\p{M}\p{N}]+)+/gu;
const WORD_OR_JOINT = /[\p{L}\p{M}\p{N}]+|[./\\*:_-]+/gu;

/** Whether two texts that resemble each other differ in a number or a negation: then they say different things. */
export function differInFact(a: Words, b: Words): boolean {
  const [one, other] = [read(a), read(b)];
  return one.numbers !== other.numbers || one.negations !== other.negations;
}

/**
 * Whether the contents of two records of one title have a word in common that is in no title, whatever their numbers. A
 * content of few words leaves it to the title to say what it is about (`Required.`, `30 s`).
 */
export function shareContent(a: Words, b: Words): boolean {
  const titles = new Set(analyse(`${a.title} ${b.title}`));
  const [one, other] = [a, b].map(({ content }) => content.replaceAll(NUMBER, ' ')) as [string, string];
  if ([one, other].some((content) => wordsIn(content).length < FEW_WORDS)) return true;
  const told = new Set(analyse(other));
  return analyse(one).some((word) => told.has(word) && !titles.has(word));
}

/**
 * Whether two texts of the same words differ in a sign, or join two words by another one (`a/b`, `a-b`; a blank is as good as
 * any). Their meanings differ; they need not contradict each other.
 */
export function differInSign(a: Words, b: Words): boolean {
  const [one, other] = [read(a), read(b)];
  return (
    one.signs !== other.signs ||
    [...one.joints].some(([pair, joint]) => (other.joints.get(pair) ?? joint) !== joint)
  );
}

/** Records that say the same in other words are this similar at least. */
export const PARAPHRASE = DUPLICATE;

/** Whether two records say the same; `alike`: how similar they are. A word may still be another one (staging, production). */
export function sayTheSame(a: Words, b: Words, alike: number): boolean {
  return alike >= DUPLICATE && !differInFact(a, b) && !differInSign(a, b);
}

/** Whether a record says nothing that another one does not say in nearly the same words. */
export function repeats(record: Words, other: Words): boolean {
  const [mine, theirs] = [shinglesOf(record), shinglesOf(other)];
  if (Math.min(mine.size, theirs.size) < DUPLICATE * Math.max(mine.size, theirs.size)) return false;
  return sayTheSame(record, other, similarity(mine, theirs)) && holdsWordsOf(other, record);
}

function found(text: string, kind: RegExp): string {
  const words = text.toLowerCase().match(kind) ?? [];
  return [...new Set(words)].sort().join(' ');
}
