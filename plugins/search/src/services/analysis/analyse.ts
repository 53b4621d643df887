import { eachWord } from './each-word.js';
import { fold } from './fold.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stop-words.js';

/** Longest term kept, in UTF-16 code units; the index cuts at 64 bytes of its own. */
const MAX_TERM = 48;
/** A longer run of word characters is data (base64, minified), not language: only its start is read, unless its script has no blanks. */
const MAX_WORD = 256;

/** Scripts of words without blanks between them, with the marks of kana by themselves. */
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\u3099\u309a\uff70\uff9e\uff9f`;
const SOUTHEAST_ASIAN = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const IS_CJK = new RegExp(`[${CJK}]`, 'u');
const IS_SOUTHEAST_ASIAN = new RegExp(`[${SOUTHEAST_ASIAN}]`, 'u');
const IS_UNSPACED = new RegExp(`[${CJK}${SOUTHEAST_ASIAN}]`, 'u');
const RUN = new RegExp(`[${CJK}]+|[${SOUTHEAST_ASIAN}]+|[^${CJK}${SOUTHEAST_ASIAN}]+`, 'gu');
/** By the dictionaries of ICU, which do not depend on the locale. */
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** A character with the marks and the letters of a Korean syllable behind it: what NFKC makes one of. */
const CLUSTER = /.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu;
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const PLAIN = /^[a-z]+$/u;

/** Receives one term and the UTF-16 range of the text that it stands for. */
export type TermVisitor = (term: string, start: number, end: number, stopWord: boolean) => void;

/**
 * Reads the terms of a text in order: words are lower-cased after NFKC, without their accents, and stemmed by the rules of
 * their script; identifiers give themselves whole and their parts (camelCase, snake_case, digits); Chinese, Japanese and
 * Korean runs give bigrams, Thai, Lao, Khmer and Burmese ones the words of a dictionary. Stop words are visited too, marked,
 * and so are the characters of bigrams: they tell as little beside others.
 */
export function eachTerm(text: string, visit: TermVisitor): void {
  eachWord(text, (start, end) => {
    for (const { term, from, to, stopWord } of piecesOf(text.slice(start, end)))
      visit(term, start + from, start + to, stopWord);
  });
}

/** A term of a word; `from` and `to` lie inside the word. */
interface Piece {
  readonly term: string;
  readonly from: number;
  readonly to: number;
  readonly stopWord: boolean;
}

/** Cache of the terms of words, since source text repeats them; cleared when full. */
const known = new Map<string, readonly Piece[]>();
const MAX_KNOWN = 50_000;

function piecesOf(run: string): readonly Piece[] {
  if (run.length > MAX_WORD && IS_UNSPACED.test(run)) return takeApart(run);
  const word = run.length > MAX_WORD ? run.slice(0, MAX_WORD) : run;
  let pieces = known.get(word);
  if (pieces === undefined) {
    pieces = takeApart(word);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(word, pieces);
  }
  return pieces;
}

function takeApart(word: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const add: TermVisitor = (term, from, to, stopWord) => pieces.push({ term, from, to, stopWord });
  if (!IS_UNSPACED.test(word)) identifier(word, 0, add);
  else {
    for (const { 0: run, index } of word.matchAll(RUN)) {
      if (IS_CJK.test(run)) bigrams(run, index, add);
      else if (IS_SOUTHEAST_ASIAN.test(run)) dictionaryWords(run, index, add);
      else identifier(run.slice(0, MAX_WORD), index, add);
    }
  }
  return pieces;
}

function bigrams(run: string, start: number, visit: TermVisitor): void {
  const characters = charactersOf(run);
  for (const [i, { character, from, to }] of characters.entries()) {
    visit(character, start + from, start + to, true);
    const next = characters[i + 1];
    if (next) visit(character + next.character, start + from, start + next.to, false);
    else if (i === 0) visit(character, start + from, start + to, false);
  }
}

interface PlacedCharacter {
  readonly character: string;
  readonly from: number;
  readonly to: number;
}

/** The characters of a run after NFKC, each with the range that it comes from. */
function charactersOf(run: string): readonly PlacedCharacter[] {
  const placed: PlacedCharacter[] = [];
  for (const { 0: cluster, index } of run.matchAll(CLUSTER)) {
    for (const character of cluster.normalize('NFKC'))
      placed.push({ character, from: index, to: index + cluster.length });
  }
  return placed;
}

/** In stretches of {@link MAX_WORD}: the time of the segmenter grows with the square of a text. */
function dictionaryWords(run: string, start: number, visit: TermVisitor): void {
  for (let from = 0; from < run.length; from += MAX_WORD) {
    for (const { segment, index } of segmenter.segment(run.slice(from, from + MAX_WORD))) {
      const at = start + from + index;
      visit(segment.normalize('NFKC').slice(0, MAX_TERM), at, at + segment.length, false);
    }
  }
}

function identifier(raw: string, start: number, visit: TermVisitor): void {
  const end = start + raw.length;
  const word = raw.normalize('NFKC');
  const lower = word.toLowerCase();
  const parts = word.match(PART) ?? [];
  if (parts.length <= 1) {
    const only = (parts[0] ?? '').toLowerCase();
    if (only !== '') visit(stem(only).slice(0, MAX_TERM), start, end, STOP_WORDS.has(only));
    return;
  }
  visit(fold(lower).slice(0, MAX_TERM), start, end, false);
  const aligned = word.length === raw.length;
  let from = 0;
  for (const part of parts) {
    const at = word.indexOf(part, from);
    from = at + part.length;
    const low = part.toLowerCase();
    if (low.length === 1 && PLAIN.test(low)) continue;
    const begin = aligned ? start + at : start;
    visit(stem(low).slice(0, MAX_TERM), begin, aligned ? begin + part.length : end, STOP_WORDS.has(low));
  }
}

/** The terms of a text in order, stop words left out, and its distinct stop words. */
export interface TextTerms {
  readonly terms: readonly string[];
  readonly stops: ReadonlySet<string>;
}

/** Reads a text once, for all that its terms are needed for. */
export function readTerms(text: string): TextTerms {
  const terms: string[] = [];
  const stops = new Set<string>();
  eachTerm(text, (term, _start, _end, stopWord) => {
    if (stopWord) stops.add(term);
    else terms.push(term);
  });
  return { terms, stops };
}

/** The terms of a text in order, stop words left out. */
export function analyse(text: string): readonly string[] {
  return readTerms(text).terms;
}

/** Whether a term is one character of a script that gives bigrams. */
export function isLoneCharacter(term: string): boolean {
  return Array.from(term).length === 1 && IS_CJK.test(term);
}

/** How often each term occurs, in order of first occurrence. */
export type TermCounts = ReadonlyMap<string, number>;

export function countTerms(...lists: readonly (readonly string[])[]): TermCounts {
  const counts = new Map<string, number>();
  for (const terms of lists) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** A query as terms. `onlyStopWords` says that they are to be looked up among stop words. */
export interface QueryTerms {
  readonly terms: readonly string[];
  readonly onlyStopWords: boolean;
}

/** Terms beyond these add nothing to a ranking but time. */
const MAX_QUERY_TERMS = 256;

export function analyseQuery(query: string): QueryTerms {
  const { terms, stops } = readTerms(query);
  const onlyStopWords = terms.every((term) => stops.has(term));
  const distinct = onlyStopWords ? stops : new Set(terms);
  return { terms: [...distinct].slice(0, MAX_QUERY_TERMS), onlyStopWords };
}
