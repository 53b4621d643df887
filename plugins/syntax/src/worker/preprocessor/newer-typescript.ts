import type { Range } from '../mark-declarations.js';

/** Words, type arguments and escapes that the grammar does not know, each as the group of its pattern. None of them binds a name. */
const UNKNOWN_PARTS = [
  // export type * from './a.js'
  /\bexport\s+(type)\b(?=\s*\*)/dg,
  // import defer * as a from './a.js'
  /\bimport\s+(defer)\b(?=\s*\*)/dg,
  // class A { accessor b = 1 }
  /(?<![.\w$])(accessor)(?=\s+[#\w$[])/dg,
  // interface A<in out T>, class B<const T>
  /[<,]\s*(in\s+out|in|out|const)(?=\s+[\p{L}_$])/dgu,
  // the same behind a comment, on a line of its own
  /^[ \t]*(in\s+out|in|out)(?=[ \t]+[\p{L}_$][\w$]*\s*(?:extends\b|[,>=]))/dgmu,
  // sql<Row>`select 1`
  /[\w$)\]](<)(?=(?:[^<>`]|<[^<>`]*>){1,500}>`)/dg,
  // type A = `a \` b`
  /(?<!\\)(?:\\\\)*(\\`)/dg,
  // let a: import('./a.js').B<C>[]
  /\bimport\(\s*(?:'[^'\n]*'|"[^"\n]*")\s*\)(?:\s*\.\s*[\w$]+)+\s*([<[])/dg,
] as const;
/** Errors lie at most so far from what causes them. */
const NEAR = 200;
const MAX_TYPE_ARGUMENTS = 20_000;
/** A text with more of either is not TypeScript. */
const MAX_ERRORS = 200;
const MAX_PARTS = 1_000;

/** Blanks what came to TypeScript after the grammar, near errors. */
export function blankNewerTypeScript(text: string, errors: readonly Range[]): string {
  const parts = UNKNOWN_PARTS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ indices }): Range => {
      const [start, end] = (indices as RegExpIndicesArray)[1] as [number, number]; // each pattern has this group
      return { start, end };
    }),
  )
    .filter((each) => isNear(each, errors))
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_PARTS)
    .map(({ start, end }) => ({
      start,
      end: /[<[]/.test(text[start] ?? '') ? endOfArguments(text, start) : end,
    }));
  let blank = '';
  for (const { start, end } of parts)
    if (start >= blank.length)
      blank += text.slice(blank.length, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
  return blank + text.slice(blank.length);
}

export function isNear({ start, end }: Range, errors: readonly Range[]): boolean {
  return errors.slice(0, MAX_ERRORS).some((each) => each.start <= end + NEAR && each.end >= start - NEAR);
}

/** sql<Row>`select 1`: to the grammar two comparisons, without an error. */
const TEMPLATE_ARGUMENTS = /(?<=[\w$)\]])<(?=[\w$'"{[])(?:[^<>`;()=+]|<[^<>`;()=+]*>){1,500}>(?=`)/g;

/** Blanks the type arguments of tagged templates. */
export function blankTemplateArguments(text: string): string {
  return text.replaceAll(TEMPLATE_ARGUMENTS, (each) => each.replaceAll(/[^\n]/g, ' '));
}

/** Behind the type arguments at `start` and the `[]` after them. */
export function endOfArguments(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_TYPE_ARGUMENTS);
  let end = start;
  for (let at = start, depth = 0; at < limit && text[start] === '<' && end === start; at += 1) {
    if (text[at] === '<') depth += 1;
    else if (text[at] === '>' && text[at - 1] !== '=' && --depth === 0) end = at + 1;
  }
  const brackets = /(?:\s*\[\s*\])*/y;
  brackets.lastIndex = end;
  return end + (brackets.exec(text)?.[0].length ?? 0);
}
