import type { SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';

/** Tokens of a macro, without comments and attributes. */
export class TokenList {
  /** The brace that they are in. */
  readonly open: string;
  readonly #tokens: readonly SyntaxNode[];
  readonly #context: Context;

  private constructor(tokens: readonly SyntaxNode[], open: string, context: Context) {
    this.#tokens = tokens;
    this.open = open;
    this.#context = context;
  }

  /** Those between the braces of a list. */
  static inside(tree: SyntaxNode, context: Context): TokenList {
    const tokens = tree.children.slice(1, -1).filter(({ comment }) => !comment);
    const open = context.lowering.textOf(tree)[0] ?? '';
    return new TokenList(withoutAttributes(tokens, context), open, context);
  }

  get length(): number {
    return this.#tokens.length;
  }

  at(index: number): SyntaxNode | undefined {
    return this.#tokens[index];
  }

  text(index: number): string {
    const token = this.#tokens[index];
    return token ? this.#context.lowering.textOf(token) : '';
  }

  /** True for a token that has no name of its own: an operator or a word of the language. */
  is(index: number, wanted: string): boolean {
    const token = this.#tokens[index];
    return token !== undefined && !token.named && this.text(index) === wanted;
  }

  /** The first place of such a token. */
  find(wanted: string): number | undefined {
    const at = this.#tokens.findIndex((_, index) => this.is(index, wanted));
    return at < 0 ? undefined : at;
  }

  slice(from: number, to?: number): TokenList {
    return new TokenList(this.#tokens.slice(from, to), this.open, this.#context);
  }

  /** The parts between separators, which are not those of the parameters of a closure or of type arguments. `end`: what ends a part. */
  split(separators: readonly string[]): Array<{ readonly tokens: TokenList; readonly end: string }> {
    const parts: Array<{ readonly tokens: TokenList; readonly end: string }> = [];
    let from = 0;
    let at = 0;
    const take = (end: string): void => {
      if (at > from) parts.push({ tokens: this.slice(from, at), end });
      at += 1;
      from = at;
    };
    while (at < this.length) {
      const text = this.text(at);
      if (separators.includes(text)) take(text);
      else if (this.is(at, '|') && this.#beginsOperand(at, from)) at = this.endOfClosureHead(at) + 1;
      else if (this.is(at, '::') && this.is(at + 1, '<')) at = this.endOfTypes(at + 1);
      else at += 1;
    }
    take('');
    return parts;
  }

  /** Where the parameters of a closure end: at their second bar. */
  endOfClosureHead(from: number): number {
    if (this.is(from, '||')) return from;
    for (let at = from + 1; at < this.length; at += 1) if (this.is(at, '|')) return at;
    return this.length;
  }

  /** What comes after `<…>`. */
  endOfTypes(from: number): number {
    let depth = 0;
    let at = from;
    do {
      if (this.is(at, '<')) depth += 1;
      else if (this.is(at, '>')) depth -= 1;
      else if (this.is(at, '>>')) depth -= 2;
      at += 1;
    } while (depth > 0 && at < this.length);
    return at;
  }

  /** The name in `&mut name: T`. */
  firstName(): SyntaxNode | undefined {
    return this.#tokens.find(({ type }, index) => type === 'identifier' && !this.is(index - 1, ':'));
  }

  /** The name in `let mut name = value`. */
  letName(): SyntaxNode | undefined {
    if (!this.is(0, 'let')) return undefined;
    const name = this.#tokens[this.text(1) === 'mut' ? 2 : 1];
    return name?.type === 'identifier' ? name : undefined;
  }

  /** The value of `let name: T = value`, or all of another statement. */
  afterLet(): TokenList {
    const equals = this.letName() && this.find('=');
    return equals === undefined ? this : this.slice(equals + 1);
  }

  /** A bar is an operator after a value. */
  #beginsOperand(at: number, from: number): boolean {
    const before = this.#tokens[at - 1];
    if (at === from || !before) return true;
    return (!before.named && this.text(at - 1) !== '?') || this.text(at - 1) === 'move';
  }
}

/** Leaves out `#[…]` and `#![…]`. */
function withoutAttributes(tokens: readonly SyntaxNode[], { lowering }: Context): readonly SyntaxNode[] {
  const is = (at: number, wanted: string): boolean => {
    const token = tokens[at];
    return token !== undefined && lowering.textOf(token).startsWith(wanted);
  };
  const kept: SyntaxNode[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const list = is(at + 1, '!') ? at + 2 : at + 1;
    if (is(at, '#') && is(list, '[')) at = list;
    else if (token) kept.push(token);
  }
  return kept;
}
