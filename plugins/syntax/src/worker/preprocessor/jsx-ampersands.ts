import type { Range } from '../mark-declarations.js';

/** An `&` that begins no entity. */
const AMPERSANDS = /&(?!#?\w+;)/g;
/** Text ends there. */
const EDGE = /[<>{}]/;
const NEAR = 200;
const MAX_TEXT = 500;
/** A text with more of either is not JavaScript. */
const MAX_ERRORS = 200;
const MAX_AMPERSANDS = 1_000;

/** Blanks `&` in text and strings of JSX, as in `<a title="b&c">d & e</a>`, where the grammar found errors. */
export function blankJsxAmpersands(text: string, errors: readonly Range[]): string {
  return blankWithin(0, text, errors);
}

/** Blanks them near errors as well: the grammar may read one as an operator. So may the author, in a type. */
export function blankNearJsxAmpersands(text: string, errors: readonly Range[]): string {
  return blankWithin(NEAR, text, errors);
}

function blankWithin(distance: number, text: string, errors: readonly Range[]): string {
  const places = errors.slice(0, MAX_ERRORS);
  let blank = '';
  let count = 0;
  for (const { index } of text.matchAll(AMPERSANDS)) {
    if (!places.some(({ start, end }) => start <= index + 1 + distance && end >= index - distance)) continue;
    if (++count > MAX_AMPERSANDS) break;
    if (isInText(text, index) || isInAttribute(text, index)) blank += `${text.slice(blank.length, index)} `;
  }
  return blank + text.slice(blank.length);
}

/** Between `>` or `}` and `<` or `{`. */
function isInText(text: string, at: number): boolean {
  let start = at - 1;
  while (start > at - MAX_TEXT && start > 0 && !EDGE.test(text[start] ?? '')) start -= 1;
  if (text[start] !== '}' && (text[start] !== '>' || text[start - 1] === '=')) return false;
  let end = at + 1;
  while (end < at + MAX_TEXT && end < text.length && !EDGE.test(text[end] ?? '')) end += 1;
  return text[end] === '<' || text[end] === '{';
}

function isInAttribute(text: string, at: number): boolean {
  return /\s[\w:-]+=(?:"[^"]*|'[^']*)$/.test(text.slice(Math.max(0, at - MAX_TEXT), at));
}
