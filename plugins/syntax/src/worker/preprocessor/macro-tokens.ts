import type { Range } from '../mark-declarations.js';
import { tokensOf, type Token } from './tokens.js';

/** Words that only a type, a declaration or a part of a class starts with. */
const DECLARING = new Set(
  (
    'void bool char short int long float double signed unsigned auto struct class union enum static extern inline ' +
    'template typedef virtual explicit constexpr friend namespace public private protected typename using'
  ).split(' '),
);

/** A longer list is not one of type arguments. */
const MAX_ARGUMENTS = 200;

/** A body whose parts are declarations, with the name of its class; undefined for a body of statements or values. */
type Scope = { readonly className?: string } | undefined;

interface Block {
  readonly scope: Scope;
  readonly outer?: Block;
}

/** The tokens of a text, without directives, and where declarations of a file, a namespace or a class are. */
export class MacroTokens {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #scopes: Scope[] = [];
  /** The token after the parenthesis that closes the one here. */
  readonly #after = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
    let block: Block = { scope: {} };
    let head = 0;
    const branches: Block[] = [];
    const parentheses: number[] = [];
    for (const token of tokensOf(text)) {
      if (token.kind === 'directive') {
        // Each branch of a conditional starts in the same scope.
        if (/^\s*#\s*if/.test(token.text)) branches.push(block);
        else if (/^\s*#\s*el/.test(token.text)) block = branches.at(-1) ?? block;
        else if (/^\s*#\s*endif/.test(token.text)) branches.pop();
        continue;
      }
      const at = this.#tokens.push(token) - 1;
      const { scope } = block;
      this.#scopes.push(parentheses.length === 0 ? scope : undefined);
      if (token.text === '(') parentheses.push(at);
      else if (token.text === ')') this.#after.set(parentheses.pop() ?? at, at + 1);
      else if (token.text === '{') {
        block = { scope: scope && this.#scopeOf(head, at), outer: block };
        parentheses.length = 0;
      } else if (token.text === '}') {
        block = block.outer ?? block;
        parentheses.length = 0;
      }
      if (/^[;{}]$/.test(token.text)) head = at + 1;
    }
  }

  get length(): number {
    return this.#tokens.length;
  }

  text(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }

  /** The text from one token up to another. */
  range(at: number, next: number): Range {
    return { start: this.#tokens[at]?.start ?? 0, end: this.#tokens[next - 1]?.end ?? 0 };
  }

  isName(at: number): boolean {
    return this.#tokens[at]?.kind === 'name';
  }

  /** Whether a token is between declarations, outside of all bodies and parentheses. */
  isDeclared(at: number): boolean {
    return this.#scopes[at] !== undefined;
  }

  /** A name in capitals; `loose`: with some (`PyAPI_FUNC`). */
  isMacro(at: number, loose: boolean): boolean {
    const pattern = loose ? /[A-Z]{2}/ : /^_*[A-Z][0-9_]*[A-Z][A-Z0-9_]*$/;
    return this.isName(at) && pattern.test(this.text(at));
  }

  breaksBefore(at: number): boolean {
    const [before, token] = [this.#tokens[at - 1], this.#tokens[at]];
    return !before || !token || this.#text.slice(before.end, token.start).includes('\n');
  }

  afterParentheses(at: number): number {
    return this.#after.get(at) ?? at + 1;
  }

  /** The token after type arguments that may start here. */
  afterArguments(at: number): number {
    if (this.text(at) !== '<') return at;
    let depth = 0;
    for (let end = at; end < Math.min(this.length, at + MAX_ARGUMENTS); end += 1) {
      const text = this.text(end);
      if (text === '<') depth += 1;
      else if (text === '>') depth -= 1;
      else if (text === ';' || text === '{') break;
      if (depth === 0) return end + 1;
    }
    return at;
  }

  /** The token after `[[…]]`. */
  afterAttribute(at: number): number {
    let end = at + 2;
    while (end < this.length && !(this.text(end - 1) === ']' && this.text(end) === ']')) end += 1;
    return end + 1;
  }

  /** `(f)(` */
  isNameInParentheses(at: number): boolean {
    return this.isName(at + 1) && this.text(at + 2) === ')' && this.text(at + 3) === '(';
  }

  /** Whether all tokens up to another read like a type. */
  isType(at: number, end: number): boolean {
    if (at >= end) return false;
    for (let each = at; each < end; each += 1) {
      if (!this.isName(each) && !/^(?:[*&<>]|::)$/.test(this.text(each))) return false;
    }
    return true;
  }

  /** Whether a type and a name follow: what stands before is not the type of the declaration. */
  typeStarts(start: number): boolean {
    let at = start;
    while (/^(?:const|volatile)$/.test(this.text(at))) at += 1;
    if (DECLARING.has(this.text(at)) || this.text(at) === '~') return true;
    if (!this.isName(at) || this.text(at) === 'operator') return false;
    let outer = this.#scopes[at]?.className;
    let last = this.text(at);
    at = this.afterArguments(at + 1);
    while (this.text(at) === '::') {
      if (this.text(at + 1) === '~') return true;
      if (!this.isName(at + 1) || this.text(at + 1) === 'operator') return false;
      [outer, last] = [last, this.text(at + 1)];
      at = this.afterArguments(at + 2);
    }
    if (this.isName(at) || this.text(at) === '*' || this.text(at) === '&') return true;
    if (this.text(at) !== '(') return false;
    // A constructor, a pointer to a function, a name in parentheses.
    return outer === last || this.text(at + 1) === '*' || this.isNameInParentheses(at);
  }

  #scopeOf(head: number, brace: number): Scope {
    const words = this.#tokens.slice(head, brace).map(({ text }) => text);
    if (words.includes('=') || words.includes('enum')) return undefined;
    if (words.includes('namespace') || (words.includes('extern') && words.at(-1)?.startsWith('"'))) return {};
    const key = words.findLastIndex((word) => /^(?:class|struct|union)$/.test(word));
    if (key < 0 || words.at(-1) === ')' || words.slice(key).includes(')')) return undefined;
    const colon = words.indexOf(':', key);
    const names = words.slice(key + 1, colon < 0 ? words.length : colon).filter((word) => word !== 'final');
    const end = names.indexOf('<');
    const className = names.slice(0, end < 0 ? names.length : end).at(-1);
    return className === undefined ? {} : { className };
  }
}
