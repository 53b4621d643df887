import { analyse, type QueryTerms } from '../analysis/analyse.js';
import type { PageRow } from '../index/tables.js';
import type { Span } from './matches.js';

/** What a query spells out: its quoted phrases, its identifiers, and the query as one phrase. */
export interface ExactForms {
  readonly phrases: readonly RegExp[];
  readonly identifiers: readonly RegExp[];
  /** The part of the query's terms that come from identifiers, 0 to 1. */
  readonly identifierShare: number;
  /** Only where nothing is quoted, and the query has more than a single plain word. */
  readonly whole: RegExp | undefined;
  /** What every result that holds all of them has: set where the query is phrases or identifiers and nothing else. */
  readonly required: QueryTerms | undefined;
}

const QUOTED = /"([^"]+)"/gu;
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** camelCase or snake_case. */
const IDENTIFIER = /[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;
/** Blanks and marks around a phrase. */
const AROUND = /^[^\p{L}\p{M}\p{N}_$]+|[^\p{L}\p{M}\p{N}_$]+$/gu;
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
  const isWhole = quoted.length === 0 && (/[^\p{L}\p{M}\p{N}$]/u.test(phrase) || isAllIdentifiers);
  // The first term of an identifier is the identifier itself.
  const spelled = [...quoted.flatMap(analyse), ...identifiers.flatMap((word) => analyse(word).slice(0, 1))];
  return {
    phrases: quoted.map((text) => expression(text, 'iu')),
    identifiers: identifiers.map((word) => expression(word, 'u')),
    identifierShare: analyse(identifiers.join(' ')).length / Math.max(1, analyse(query).length),
    whole: isWhole ? expression(phrase, isAllIdentifiers ? 'u' : 'iu') : undefined,
    required:
      spelled.length > 0 && (quoted.length > 0 || isAllIdentifiers)
        ? { terms: [...new Set(spelled)], onlyStopWords: false }
        : undefined,
  };
}

/** True where a query spells out nothing. */
export function isEmpty({ phrases, identifiers, whole }: ExactForms): boolean {
  return phrases.length === 0 && identifiers.length === 0 && !whole;
}

/** A text between word boundaries; any blanks match its blanks. */
function expression(text: string, flags: string): RegExp {
  const escaped = text.replace(SYNTAX, String.raw`\$&`).replace(/\s+/gu, String.raw`\s+`);
  const part = String.raw`[\p{L}\p{M}\p{N}_]`;
  return new RegExp(`(?<!${part})${escaped}(?!${part})`, flags);
}

/** How much of what a query spells out is in a chunk, 0 to 1: all of its phrases, or itself, is 1. */
export function exactness(
  forms: ExactForms,
  { path, symbol, title, text }: Pick<PageRow, 'path' | 'symbol' | 'title' | 'text'>,
): number {
  const fields = [text, title, symbol, path];
  const has = (form: RegExp) => fields.some((field) => form.test(field));
  const held = (some: readonly RegExp[]) => (some.length === 0 ? 0 : some.filter(has).length / some.length);
  if (forms.whole && has(forms.whole)) return 1;
  return Math.max(held(forms.phrases), forms.identifierShare * held(forms.identifiers));
}

/** Where a text holds what the query spells out, the longest form first. */
export function exactSpans(forms: ExactForms, text: string): Span[] {
  const all = [...(forms.whole ? [forms.whole] : []), ...forms.phrases, ...forms.identifiers];
  return all.flatMap((form) => {
    const found = form.exec(text);
    return found ? [{ start: found.index, end: found.index + found[0].length }] : [];
  });
}
