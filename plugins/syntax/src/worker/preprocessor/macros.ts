import type { Range } from '../mark-declarations.js';
import { MacroTokens } from './macro-tokens.js';
import { blanked } from './tokens.js';

/** Words before the type of a declaration. */
const SPECIFIERS = new Set([
  'static',
  'extern',
  'inline',
  'virtual',
  'explicit',
  'constexpr',
  'friend',
  'typedef',
]);
const CLASSES = new Set(['class', 'struct', 'union', 'enum']);
/** What follows the list of parameters of a function. */
const TRAILING = new Set(['const', 'override', 'final', 'noexcept']);
const AFTER_TRAILING = new Set([';', '{', '=', ':', ...TRAILING]);
/** What makes a name with arguments before it a declaration or a call. */
const CONTINUES = new Set(['{', ';', '=', ',', ':', '(', '[', '.', '->', ')']);

/**
 * A text of C or C++ without macros that only a preprocessor can read: attributes of declarations (`API int f(void)`,
 * `class API Store`, `API(int) f(void)`, `int CALL f(void)`, `void f() NOTHROW`) and macros that stand alone. Only between
 * the declarations of a file, a namespace or a class, and only names in capitals.
 */
export function blankMacros(text: string): string {
  const tokens = new MacroTokens(text);
  const masked: Range[] = [];
  let starts = true;
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens.text(at);
    if (!tokens.isDeclared(at)) {
      starts = word === '}' || word === ';';
      continue;
    }
    if (starts && word === '[' && tokens.text(at + 1) === '[') {
      at = tokens.afterAttribute(at) - 1;
      continue;
    }
    const unknown = unknownToGrammar(tokens, at, starts);
    if (unknown > at) {
      masked.push(tokens.range(at, unknown));
      at = unknown - 1;
      continue;
    }
    const ranges = starts ? leading(tokens, at) : following(tokens, at);
    if (ranges) {
      masked.push(...ranges.ranges);
      at = ranges.next - 1;
      continue;
    }
    if (word === '(' && isPointerConvention(tokens, at)) masked.push(tokens.range(at + 1, at + 2));
    // `int *(f)(int)`: the grammar of C takes it for a product.
    if (word === '(' && tokens.text(at - 1) === '*' && tokens.isNameInParentheses(at)) {
      masked.push(tokens.range(at, at + 1), tokens.range(at + 2, at + 3));
    }
    if (CLASSES.has(word)) masked.push(...classAttribute(tokens, at));
    if (starts && word === 'template') {
      masked.push(...templateConstraints(tokens, at + 1));
      at = tokens.afterArguments(at + 1) - 1;
      continue;
    }
    masked.push(...prototypeMacro(tokens, at));
    if (starts && SPECIFIERS.has(word)) continue;
    const isLabel = word === ':' && /^(?:public|private|protected)$/.test(tokens.text(at - 1));
    starts = word === ';' || word === '{' || word === '}' || isLabel;
  }
  return blanked(text, masked);
}

/** Tokens; a longer declaration is not looked at. */
const MAX_INSTANCE = 200;

/**
 * Behind what declares nothing and the grammar does not read: `extern template class A<B>;` and the base of
 * `enum : int {`. `at` elsewhere.
 */
function unknownToGrammar(tokens: MacroTokens, at: number, starts: boolean): number {
  const isBase = tokens.text(at) === ':' && tokens.text(at - 1) === 'enum';
  const template = tokens.text(at) === 'extern' ? at + 1 : at;
  const isInstance = starts && tokens.text(template) === 'template' && tokens.text(template + 1) !== '<';
  if (!isBase && !isInstance) return at;
  let end = at;
  while (end < at + MAX_INSTANCE && !/^[;{}]$/.test(tokens.text(end))) end += 1;
  if (isBase) return tokens.text(end) === '{' ? end : at;
  return tokens.text(end) === ';' ? end + 1 : at;
}

interface Masked {
  readonly ranges: readonly Range[];
  /** The token to go on with. */
  readonly next: number;
}

/** A macro at the start of a declaration. */
function leading(tokens: MacroTokens, at: number): Masked | undefined {
  const isCalled = tokens.text(at + 1) === '(';
  if (!tokens.isMacro(at, isCalled)) {
    // Of three names in a row the first is not a type, whatever its case, unless another of them is a macro.
    const isWord = tokens.isName(at) && tokens.isName(at + 1) && !KEYWORDS.has(tokens.text(at));
    const isType = isPrototypeMacro(tokens, at + 2) || following(tokens, at + 1) !== undefined;
    return isWord && !isType && tokens.typeStarts(at + 1)
      ? { ranges: [tokens.range(at, at + 1)], next: at + 1 }
      : undefined;
  }
  const next = isCalled ? tokens.afterParentheses(at + 1) : at + 1;
  const all = { ranges: [tokens.range(at, next)], next };
  if (tokens.typeStarts(next)) return all;
  const after = tokens.text(next);
  if (!isCalled) {
    const isAlone =
      after === '' || after === '}' || (tokens.breaksBefore(next) && tokens.isMacro(next, false));
    return isAlone && tokens.text(next + 1) !== '(' ? all : undefined;
  }
  if (tokens.isType(at + 2, next - 1) && (after === '*' || tokens.isName(next)) && after !== '{') {
    const isDeclared = after === '*' || /^[(;=[,]?$/.test(tokens.text(next + 1));
    if (isDeclared && !tokens.breaksBefore(next)) {
      return { ranges: [tokens.range(at, at + 2), tokens.range(next - 1, next)], next: at + 2 };
    }
  }
  return tokens.breaksBefore(next) && !CONTINUES.has(after) ? all : undefined;
}

/** `void (CALL *f)(void)` */
function isPointerConvention(tokens: MacroTokens, at: number): boolean {
  const rest = [2, 4, 5].map((each) => tokens.text(at + each)).join('');
  return tokens.isMacro(at + 1, false) && rest === '*)(';
}

/** A macro between the type and the name of a function, or after its parameters. */
function following(tokens: MacroTokens, at: number): Masked | undefined {
  if (!tokens.isMacro(at, false)) return undefined;
  const before = tokens.text(at - 1);
  if (before === ')' || TRAILING.has(before)) {
    const next = tokens.text(at + 1) === '(' ? tokens.afterParentheses(at + 1) : at + 1;
    const isTrailing = AFTER_TRAILING.has(tokens.text(next)) || tokens.isMacro(next, false);
    return isTrailing ? { ranges: [tokens.range(at, next)], next } : undefined;
  }
  const hasType = /^[*&>]$/.test(before) || (tokens.isName(at - 1) && !QUALIFIERS.has(before));
  const isCallingConvention = hasType && tokens.isName(at + 1) && takesParameters(tokens, at + 1);
  // `struct state FAR *next;`
  const isPointer = hasType && tokens.isName(at - 1) && !CLASSES.has(before) && tokens.text(at + 1) === '*';
  return isCallingConvention || isPointer ? { ranges: [tokens.range(at, at + 1)], next: at + 1 } : undefined;
}

/** Whether the name of a function starts here: `f(`, `a::B<T>::f(`, `f OF((`. */
function takesParameters(tokens: MacroTokens, name: number): boolean {
  let at = name + 1;
  for (let next = tokens.afterArguments(at); tokens.text(next) === '::'; next = tokens.afterArguments(at)) {
    const isDestructor = tokens.text(next + 1) === '~';
    if (!tokens.isName(next + (isDestructor ? 2 : 1))) return false;
    at = next + (isDestructor ? 3 : 2);
  }
  return tokens.text(at) === '(' || isPrototypeMacro(tokens, at);
}

/** `f OF((int a));`: a list of parameters that compilers of old do not see. */
function prototypeMacro(tokens: MacroTokens, at: number): Range[] {
  if (!tokens.isName(at) || !isPrototypeMacro(tokens, at + 1)) return [];
  const end = tokens.afterParentheses(at + 2);
  return [tokens.range(at + 1, at + 3), tokens.range(end - 1, end)];
}

function isPrototypeMacro(tokens: MacroTokens, at: number): boolean {
  if (!/^_*[A-Z][A-Z0-9_]*$/.test(tokens.text(at))) return false;
  if (tokens.text(at + 1) !== '(' || tokens.text(at + 2) !== '(') return false;
  const end = tokens.afterParentheses(at + 1);
  return tokens.afterParentheses(at + 2) === end - 1 && /^[;,]$/.test(tokens.text(end));
}

/** Macros that constrain a template: `template <typename T, ENABLE_IF(!is_small<T>())>`. */
function templateConstraints(tokens: MacroTokens, start: number): Range[] {
  const found: Range[] = [];
  if (tokens.text(start) !== '<') return found;
  let depth = 0;
  for (let at = start; at < start + MAX_INSTANCE; at += 1) {
    const word = tokens.text(at);
    if (word === '<') depth += 1;
    else if (word === '>') depth -= 1;
    if (depth === 0 || /^[;{]$/.test(word)) break;
    if (word === ',' && depth === 1 && tokens.isMacro(at + 1, false) && tokens.text(at + 2) === '(') {
      const next = tokens.afterParentheses(at + 2);
      if (/^[,>]$/.test(tokens.text(next))) found.push(tokens.range(at, next));
      at = next - 1;
    } else if (word === '(') at = tokens.afterParentheses(at) - 1;
  }
  return found;
}

/** Words of the languages that may stand before a type and a name. */
const KEYWORDS = new Set([
  ...SPECIFIERS,
  ...CLASSES,
  ...(
    'const volatile mutable register restrict thread_local consteval constinit template typename namespace using public ' +
    'private protected operator requires concept export import module asm alignas decltype typeof return new delete ' +
    'void bool char short int long float double signed unsigned auto if else for while do switch case goto'
  ).split(' '),
]);

const QUALIFIERS = new Set([
  ...SPECIFIERS,
  ...CLASSES,
  'const',
  'volatile',
  'namespace',
  'typename',
  'using',
  'operator',
]);

/** `class API Store {` */
function classAttribute(tokens: MacroTokens, at: number): Range[] {
  if (!tokens.isMacro(at + 1, false)) return [];
  const name = tokens.text(at + 2) === '(' ? tokens.afterParentheses(at + 2) : at + 2;
  if (!tokens.isName(name) || tokens.text(name) === 'final') return [];
  const after = tokens.text(tokens.afterArguments(name + 1));
  const isDefined = after === '{' || after === ':' || after === 'final';
  const isForward = after === ';' && tokens.text(at) === 'class';
  return isDefined || isForward ? [tokens.range(at + 1, name)] : [];
}
