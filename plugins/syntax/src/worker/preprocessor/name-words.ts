import type { Range } from '../mark-declarations.js';
import { isNear } from './newer-typescript.js';

/** Names that are keywords to the grammar, where they are not the keyword. */
const NAMES = [
  // using.a, but not: using a = b()
  /(?<![\w$])using(?![\w$]|\s+(?!(?:as|in|instanceof|of|satisfies)\b)[\w$])/g,
  // accessor(a), a: accessor; but not: accessor b = 1, abstract class
  /(?<![\w$])(?:accessor|abstract)(?![\w$]|\s+[#\w$[{*])/g,
  // let of = 0, of < 3
  /(?<![\w$])of(?=\s*(?:[=;,.)]|[<>]=?\s|\+\+|--|[-+]=))/g,
  // [number: A, ...string?: B]
  /\b(?:abstract|any|boolean|infer|keyof|never|new|number|object|readonly|string|symbol|undefined|unique|unknown)(?=\??\s*:)(?<=[[,]\s{0,100}(?:\.\.\.)?\w+)/g,
  // <a class="b" for={c}>
  /(?<=\s)(?:class|default|delete|for|in|new)(?=(?::[\w-]+)?=["'{])/g,
] as const;
/** A letter to the grammar. */
const STAND_IN = 'ǀ';
const STAND_INS = /ǀ+/g;
/** A text with more is not TypeScript. */
const MAX_NAMES = 1_000;

/** Replaces names that are keywords to the grammar by other names of the same length, near errors. */
export function replaceNameWords(text: string, errors: readonly Range[]): string {
  const found = NAMES.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, 0: { length } }): Range => ({
      start: index,
      end: index + length,
    })),
  )
    .filter((each) => isNear(each, errors))
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_NAMES);
  let replaced = '';
  for (const { start, end } of found)
    if (start >= replaced.length)
      replaced += text.slice(replaced.length, start) + STAND_IN.repeat(end - start);
  return replaced + text.slice(replaced.length);
}

/** A text that was parsed, with the names of `text` back. */
export function restoreNameWords(parsed: string, text: string): string {
  if (parsed === text) return text;
  return parsed.replaceAll(STAND_INS, ({ length }, at: number) => text.slice(at, at + length));
}
