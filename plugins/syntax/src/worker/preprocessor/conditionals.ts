import type { Range } from '../mark-declarations.js';
import { blanked } from './tokens.js';

interface Branch {
  readonly directive: Range;
  readonly condition: string;
}

/** `#if` to `#endif`. */
interface Conditional extends Range {
  readonly branches: readonly Branch[];
  readonly last: Range;
}

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:\\\r?\n|[^\n])*)/gm;

/** More errors than this say nothing about places. */
const MAX_ERRORS = 200;

/**
 * The text with one branch of each conditional at a parse error, without its directives: a branch may be any part of a
 * declaration or a statement, which no grammar describes. `cplusplus`: whether the compiler defines `__cplusplus`; what
 * depends on it may open a block in one conditional and close it in another.
 */
export function blankConditionals(text: string, errors: readonly Range[], cplusplus?: boolean): string {
  const conditionals = conditionalsOf(text);
  const isOfLanguage = ({ branches }: Conditional): boolean =>
    cplusplus !== undefined && branches.some(({ condition }) => /\b__cplusplus$/.test(condition));
  const chosen = new Set(conditionals.filter(isOfLanguage));
  const examined = new Set(chosen);
  for (const error of errors.slice(0, MAX_ERRORS)) {
    const near = conditionals.filter(({ start, end }) => start <= error.end && end >= error.start);
    // Only the innermost ones: they come before those around them.
    near.forEach((each, at) => {
      const before = near[at - 1];
      if (examined.has(each) || (before && before.start >= each.start)) return;
      examined.add(each);
      if (!isWhole(text, each)) chosen.add(each);
    });
  }
  return blanked(
    text,
    [...chosen].flatMap((each) => dropped(each, cplusplus)),
  );
}

/** In the order of their ends. */
function conditionalsOf(text: string): Conditional[] {
  const found: Conditional[] = [];
  const open: Branch[][] = [];
  for (const match of text.matchAll(DIRECTIVE)) {
    const [all, word = '', rest = ''] = match;
    const directive = { start: match.index, end: match.index + all.length };
    const condition = `${word} ${rest.replaceAll(/\/\*[^]*?\*\/|\/\/.*|[\s()]/g, '')}`;
    if (word.startsWith('if')) open.push([{ directive, condition }]);
    else if (word !== 'endif') open.at(-1)?.push({ directive, condition });
    else {
      const branches = open.pop();
      const [first] = branches ?? [];
      if (!branches || !first) continue;
      found.push({ start: first.directive.start, end: directive.end, branches, last: directive });
    }
  }
  return found;
}

/** Whether all branches are declarations or statements as grammars know them: the error has another cause. */
function isWhole(text: string, { branches, last }: Conditional): boolean {
  return branches.every(({ directive }, at) => {
    const branch = text.slice(directive.end, branches[at + 1]?.directive.start ?? last.start);
    const code = branch.replaceAll(NO_CODE, ' ').trim();
    return code === '' || (/[;}]$/.test(code) && !PART.test(code) && isBalanced(code));
  });
}

const NO_CODE = /\/\*[^]*?(?:\*\/|$(?![^]))|\/\/.*|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|^[ \t]*#.*/gm;
/** What starts with these goes on with what stands before it. */
const PART = /^(?:else\b|case\b|default\b|[,|&?:.)}\]+*/-])/;

function isBalanced(code: string): boolean {
  let depth = 0;
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The directives and all branches but the first that may be compiled. */
function dropped({ branches, last }: Conditional, cplusplus: boolean | undefined): Range[] {
  const kept = branches.findIndex(({ condition }) => !isNever(condition, cplusplus));
  return [
    last,
    ...branches.flatMap(({ directive }, at): Range[] => {
      const end = branches[at + 1]?.directive.start ?? last.start;
      return at === kept ? [directive] : [{ start: directive.start, end }];
    }),
  ];
}

function isNever(condition: string, cplusplus: boolean | undefined): boolean {
  if (/^(?:el)?if (?:0|false)$/.test(condition)) return true;
  if (cplusplus === undefined) return false;
  const isTrue = /^(?:(?:el)?ifdef |(?:el)?if (?:defined)?)__cplusplus$/.test(condition);
  const isFalse = /^(?:(?:el)?ifndef |(?:el)?if !(?:defined)?)__cplusplus$/.test(condition);
  return cplusplus ? isFalse : isTrue;
}
