import { analyse, type QueryTerms } from '../analysis/analyse.js';
import type { Span } from './reading.js';

/** What a query spells out: its quoted phrases, its identifiers, and the query as one phrase. */
export interface ExactForms {
  readonly phrases: readonly Form[];
  readonly identifiers: readonly Form[];
  /** The part of the query's terms that come from identifiers, 0 to 1. */
  readonly identifierShare: number;
  /** Only where nothing is quoted, and the query is more than a single plain word: one with a digit is not plain. */
  readonly whole: Form | undefined;
  /** The parts of a name, where the query is one and nothing else: `tokenize`, `Store.get`, `Store::get()`. */
  readonly name: readonly string[] | undefined;
  /** What every result that holds all of them has: set where the query is phrases, identifiers or one word with a digit, and nothing else. */
  readonly required: QueryTerms | undefined;
}

/** A text, and its words in lower case: most texts lack one, which is found out faster. */
interface Form {
  readonly expression: RegExp;
  readonly words: readonly string[];
}

const QUOTED = /"([^"]+)"/gu;
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** camelCase or snake_case. */
const IDENTIFIER = /[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;
/** One word, or several with what languages write between a type and its member. */
const NAME = /^[\p{L}\p{M}\p{N}_$]+(?:(?:\.|::|#|->)[\p{L}\p{M}\p{N}_$]+)*(?:\(\))?$/u;
/** A number, a version, the name of a ticket. */
const HAS_DIGIT = /\p{N}/u;
/** Blanks and marks around a phrase. */
const AROUND = /^[^\p{L}\p{M}\p{N}_$]+|(?<=[\p{L}\p{M}\p{N}_$])[^\p{L}\p{M}\p{N}_$]+$/gu;
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}_]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{M}\p{N}_]/u;
/** Characters with a meaning in an expression. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/gu;

export function exactForms(query: string): ExactForms {
  const quoted = [...query.matchAll(QUOTED)].flatMap(([, text = '']) => {
    const phrase = text.replace(AROUND, '');
    return analyse(phrase).length > 0 ? [phrase] : [];
  });
  const words = query.replace(QUOTED, ' ').match(WORD) ?? [];
  const identifiers = [...new Set(words.filter((word) => IDENTIFIER.test(word)))];
  const isAllIdentifiers =
    identifiers.length > 0 && words.every((word) => IDENTIFIER.test(word) || analyse(word).length === 0);
  const phrase = query.replace(AROUND, '');
  const isNumber = quoted.length === 0 && words.length === 1 && HAS_DIGIT.test(phrase);
  const isWhole =
    quoted.length === 0 && (/[^\p{L}\p{M}\p{N}$]/u.test(phrase) || isAllIdentifiers || isNumber);
  // The first term of an identifier is the identifier itself.
  const names = isNumber ? words : identifiers;
  const spelled = [...quoted.flatMap(analyse), ...names.flatMap((word) => analyse(word).slice(0, 1))];
  return {
    phrases: quoted.map((text) => formOf(text, 'giu')),
    identifiers: identifiers.map((word) => formOf(word, 'gu')),
    identifierShare: analyse(identifiers.join(' ')).length / Math.max(1, analyse(query).length),
    name: quoted.length === 0 ? nameOf(query.trim()) : undefined,
    whole: isWhole ? formOf(phrase, isAllIdentifiers ? 'gu' : 'giu') : undefined,
    required:
      spelled.length > 0 && (quoted.length > 0 || isAllIdentifiers || isNumber)
        ? { terms: [...new Set(spelled)], onlyStopWords: false }
        : undefined,
  };
}

function nameOf(query: string): readonly string[] | undefined {
  return NAME.test(query) && /\p{L}/u.test(query) ? (query.match(WORD) ?? undefined) : undefined;
}

/** True where a query spells out nothing. */
export function isEmpty({ phrases, identifiers, whole, name }: ExactForms): boolean {
  return phrases.length === 0 && identifiers.length === 0 && !whole && !name;
}

/** Any blanks match the blanks of a form. */
function formOf(text: string, flags: 'gu' | 'giu'): Form {
  const escaped = text.replace(SYNTAX, String.raw`\$&`).replace(/\s+/gu, String.raw`\s+`);
  return { expression: new RegExp(escaped, flags), words: text.toLowerCase().split(/\s+/u) };
}

/** The first place of a form in a text between characters that are not of a word. `lower`: the text in lower case. */
function find({ expression, words }: Form, text: string, lower: string): Span | undefined {
  if (!words.every((word) => lower.includes(word))) return undefined;
  for (const { 0: found, index: start } of text.matchAll(expression)) {
    const end = start + found.length;
    if (
      !ENDS_IN_WORD.test(text.slice(Math.max(0, start - 2), start)) &&
      !BEGINS_WITH_WORD.test(text.slice(end, end + 2))
    )
      return { start, end };
  }
  return undefined;
}

/** How much of what a query spells out is in a chunk, 0 to 1: all of its phrases, or itself, is 1. */
export function exactness(
  forms: ExactForms,
  { path, symbol, title, text }: Readonly<Record<'path' | 'symbol' | 'title' | 'text', string>>,
): number {
  const fields = [text, title, symbol, path].map((field) => ({ field, lower: field.toLowerCase() }));
  const has = (form: Form) => fields.some(({ field, lower }) => find(form, field, lower));
  const held = (some: readonly Form[]) => (some.length === 0 ? 0 : some.filter(has).length / some.length);
  if (forms.whole && has(forms.whole)) return 1;
  return Math.max(held(forms.phrases), forms.identifierShare * held(forms.identifiers));
}

/**
 * Whether the query is the name of the symbol (`Store.get~2`), or the end of it. Of a name in lower case alone the case does
 * not count: who types `store` may mean `Store`.
 */
export function isDefinition({ name }: ExactForms, symbol: string): boolean {
  if (!name) return false;
  const parts = symbol
    .replace(/~\d+$/u, '')
    .split(/[.:#]+/u)
    .slice(-name.length);
  if (parts.length < name.length) return false;
  return name.every((word, i) => {
    const part = parts[i] ?? '';
    return part === word || (word === word.toLowerCase() && part.toLowerCase() === word);
  });
}

/** Where a text holds what the query spells out, the longest form first. */
export function exactSpans(forms: ExactForms, text: string): Span[] {
  const all = [...(forms.whole ? [forms.whole] : []), ...forms.phrases, ...forms.identifiers];
  const lower = text.toLowerCase();
  return all.flatMap((form) => find(form, text, lower) ?? []);
}
