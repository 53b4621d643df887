import type { Range } from '../mark-declarations.js';
import { endOfArguments } from './newer-typescript.js';

/** A `<` that begins a line, with a space before it. */
const LEADING = /^[ \t]+(?=<\s*[\p{L}_$])/gmu;
/** An error that has the whole file may lie anywhere in it; others start behind the signature. */
const NEAR = 2_000;
/** A text with more of either is not TypeScript. */
const MAX_ERRORS = 200;
const MAX_PLACES = 1_000;
/** Lines of a comment between two signatures. */
const MAX_COMMENT = 200;

/**
 * Ends a member of a type with `;` where the next line is a signature with type parameters: `(a: string): A` and
 * `<T>(a: T): B` below it. To the grammar they are arguments of the type `A`; TypeScript takes none from the next line.
 */
export function endSignatures(text: string, errors: readonly Range[]): string {
  const places = errors.slice(0, MAX_ERRORS);
  let ended = '';
  let count = 0;
  for (const { index, 0: indent } of text.matchAll(LEADING)) {
    const at = index + indent.length;
    if (!places.some(({ start, end }) => start <= at + NEAR && end >= at - NEAR)) continue;
    if (!endsType(text, index)) continue;
    if (++count > MAX_PLACES) break;
    if (isSignature(text, at)) ended += `${text.slice(ended.length, at - 1)};`;
  }
  return ended + text.slice(ended.length);
}

/** Are there type parameters at `at` with parameters behind them? */
function isSignature(text: string, at: number): boolean {
  const parameters = /\s*\(/y;
  parameters.lastIndex = endOfArguments(text, at);
  return parameters.lastIndex > at && parameters.test(text);
}

/** Does the last line above `lineStart` end like a type? Comments do not count. */
function endsType(text: string, lineStart: number): boolean {
  let end = lineStart - 1;
  for (let count = 0; count < MAX_COMMENT && end > 0; count += 1) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
      return /(?:[\p{L}\p{N}_$)\]}'"`]|(?<!=)>)$/u.test(line.replace(/\/\/.*/, '').trimEnd());
    end = start - 1;
  }
  return false;
}
