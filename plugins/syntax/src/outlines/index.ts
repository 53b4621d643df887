import type { SourceSymbol } from '../contract.js';
import { BRACE_LANGUAGES } from './brace-languages.js';
import { OTHER_LANGUAGES } from './other-languages.js';
import { outline } from './outline.js';

/** Symbols by language, for source code without a grammar. They have no code: the graph does not read these languages. */
export const OUTLINED: ReadonlyMap<string, (text: string) => SourceSymbol[]> = new Map(
  [...BRACE_LANGUAGES, ...OTHER_LANGUAGES].map(([language, declarations]) => [
    language,
    (text: string) => outline(text, declarations),
  ]),
);
