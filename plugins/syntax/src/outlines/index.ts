import type { SourceSymbol } from '../contract.js';
import { BRACE_LANGUAGES } from './brace-languages.js';
import { FLAT_LANGUAGES } from './flat-languages.js';
import { OTHER_LANGUAGES } from './other-languages.js';
import { outline } from './outline.js';
import { WORD_LANGUAGES } from './word-languages.js';

/** Symbols by language, for source code without a grammar. They have no code: the graph does not read these languages. */
export const OUTLINED: ReadonlyMap<string, (text: string) => SourceSymbol[]> = new Map(
  [...BRACE_LANGUAGES, ...WORD_LANGUAGES, ...FLAT_LANGUAGES, ...OTHER_LANGUAGES].map(
    ([language, declarations]) => [language, (text: string) => outline(text, declarations)],
  ),
);
