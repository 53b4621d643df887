import type { Declarations } from './outline.js';

type Spans = NonNullable<Declarations['spans']>;
type Style = Pick<Declarations, 'leads' | 'spans'>;

export const SLASHES = {
  leads: /^(?:\/\/|\/\*|\*|@\w|\[)/,
  spans: [[/^\/\*/, /\*\//]],
} as const satisfies Style;
export const HASHES: Style = { leads: /^(?:#|@\w)/ };
export const DASHES: Style = { leads: /^(?:--|\/\*|\*)/, spans: [[/^\/\*/, /\*\//]] };
/** Texts between three quotes. */
export const QUOTES: Spans = [[/^(?!#|\/\/).*?"""/, /"""/]];
/** Texts up to a line with the word behind `<<`. */
export const HERE: Spans = [[/^(?!#).*?(?<!<)<<(?!<)[-~]?\s*["'\\]?([A-Za-z_]\w*)/]];

/** A pattern behind any number of some words. */
export function after(words: string, rest: string, flags = ''): RegExp {
  return new RegExp(`^(?:(?:${words})\\s+)*${rest}`, flags);
}
