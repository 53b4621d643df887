import type { Expression } from '../../../code.js';
import { child, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { BLANK, type Context } from './context.js';
import { pathExpression } from './paths.js';

/** Macros whose value is a list of their arguments. */
const LISTS = new Set(['vec']);
/** Macros whose value is their first argument. */
const VALUES = new Set(['dbg']);
/** Macros with a pattern after their first argument. */
const PATTERNS = new Set(['matches', 'assert_matches']);
/** Words of the language in a list of tokens. */
const WORDS = new Set(['crate', 'self', 'super', 'identifier', 'primitive_type', 'metavariable']);

/** A macro as the call of a function `name!`. Arguments that look like expressions are read as such. */
export function macroInvocation(node: SyntaxNode, context: Context): Expression {
  const macro = child(node, 'macro');
  const tree = ofType(node, 'token_tree');
  if (!macro) return BLANK;
  const name = context.lowering.textOf(child(macro, 'name') ?? macro);
  const all = tree ? tokenArguments(tree, context) : [];
  const values = PATTERNS.has(name) ? all.slice(0, 1) : all;
  if (LISTS.has(name)) return { kind: 'list', items: values };
  const [first] = values;
  if (VALUES.has(name) && first) return first;
  const path = pathExpression(macro, context);
  const callee = path.kind === 'name' || path.kind === 'member' ? { ...path, name: `${name}!` } : path;
  return {
    kind: 'call',
    ...context.lowering.at(child(macro, 'name') ?? macro),
    callee,
    arguments: values.map((value) => ({ value })),
  };
}

/** The expressions between the commas of a list of tokens. */
export function tokenArguments(tree: SyntaxNode, context: Context): Expression[] {
  const tokens = withoutAttributes(
    tree.children.slice(1, -1).filter(({ comment }) => !comment),
    context,
  );
  const values: Expression[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token && ![',', ';'].includes(text(token, context))) continue;
    const parts = new TokenReader(tokens.slice(from, at), context).expressions();
    const [only] = parts;
    if (only) values.push(parts.length === 1 ? only : { kind: 'operation', of: parts });
    else if (at > from) values.push(UNKNOWN);
    from = at + 1;
  }
  return values;
}

/** Leaves out `#[…]` and `#![…]`. */
function withoutAttributes(tokens: readonly SyntaxNode[], context: Context): readonly SyntaxNode[] {
  const is = (at: number, wanted: string): boolean => {
    const token = tokens[at];
    return token !== undefined && text(token, context).startsWith(wanted);
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

function text(node: SyntaxNode, { lowering }: Context): string {
  return lowering.textOf(node);
}

/** Reads names, calls, members and macros in a list of tokens; operators only separate them. */
class TokenReader {
  readonly #tokens: readonly SyntaxNode[];
  readonly #context: Context;
  #at = 0;

  constructor(tokens: readonly SyntaxNode[], context: Context) {
    this.#tokens = tokens;
    this.#context = context;
  }

  expressions(): Expression[] {
    const found: Expression[] = [];
    while (this.#at < this.#tokens.length) {
      const value = this.#operand();
      if (value) found.push(value);
    }
    return found;
  }

  /** One operand with its calls and members; nothing for an operator. */
  #operand(): Expression | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (!token) return undefined;
    if (token.type === 'token_tree') return this.#postfix(this.#group(token));
    if (token.type === 'string_literal') return this.#postfix({ kind: 'literal', type: 'string' });
    if (!WORDS.has(token.type)) return undefined;
    // `name:` of a struct or a declaration, `name =` of a format string.
    if (this.#is(':', 0) || (this.#is('=', 0) && token.type === 'identifier')) {
      this.#at += 1;
      return undefined;
    }
    return this.#postfix(this.#path(token));
  }

  #path(first: SyntaxNode): Expression {
    const { lowering } = this.#context;
    let value = pathExpression(first, this.#context);
    if (first.type === 'crate' || first.type === 'super' || (first.type === 'self' && this.#is('::', 0))) {
      value = { kind: 'name', name: text(first, this.#context), ...lowering.at(first) };
    }
    while (this.#is('::', 0)) {
      this.#at += 1;
      if (this.#is('<', 0)) this.#skipTypes();
      else {
        const name = this.#tokens[this.#at];
        if (!name || !WORDS.has(name.type)) break;
        this.#at += 1;
        value = { kind: 'member', object: value, name: text(name, this.#context), ...lowering.at(name) };
      }
    }
    const tree = this.#tokens[this.#at + 1];
    if (
      this.#is('!', 0) &&
      tree?.type === 'token_tree' &&
      (value.kind === 'name' || value.kind === 'member')
    ) {
      this.#at += 2;
      const values = tokenArguments(tree, this.#context);
      if (LISTS.has(value.name)) return { kind: 'list', items: values };
      return this.#call({ ...value, name: `${value.name}!` }, first, values);
    }
    return value;
  }

  #postfix(start: Expression): Expression {
    let value = start;
    for (;;) {
      const token = this.#tokens[this.#at];
      const next = this.#tokens[this.#at + 1];
      if (!token) return value;
      if (this.#is('?', 0)) {
        this.#at += 1;
        value = { kind: 'unwrap', value };
      } else if (
        this.#is('.', 0) &&
        next &&
        ['identifier', 'primitive_type', 'integer_literal'].includes(next.type)
      ) {
        this.#at += 2;
        value = {
          kind: 'member',
          object: value,
          name: text(next, this.#context),
          ...this.#context.lowering.at(next),
        };
        if (this.#is('::', 0)) {
          this.#at += 1;
          this.#skipTypes();
        }
      } else if (this.#is('.', 0)) {
        this.#at += 2;
        value = { kind: 'await', value };
      } else if (token.type === 'token_tree' && value.kind !== 'literal') {
        const open = text(token, this.#context)[0];
        if (open === '{') return value;
        this.#at += 1;
        const values = tokenArguments(token, this.#context);
        value =
          open === '('
            ? this.#call(value, value.kind === 'member' ? undefined : token, values)
            : { kind: 'index', object: value, ...(values[0] && { key: values[0] }) };
      } else return value;
    }
  }

  #call(callee: Expression, at: SyntaxNode | undefined, values: readonly Expression[]): Expression {
    const place =
      callee.kind === 'member' || callee.kind === 'name'
        ? { start: callee.start, line: callee.line }
        : this.#context.lowering.at(at ?? (this.#tokens[0] as SyntaxNode));
    return { kind: 'call', ...place, callee, arguments: values.map((value) => ({ value })) };
  }

  /** `(a)`, `(a, b)`, `[a]`, and the statements of `{ … }`. */
  #group(tree: SyntaxNode): Expression {
    const values = tokenArguments(tree, this.#context);
    const [only] = values;
    const open = text(tree, this.#context)[0];
    if (open === '[') return { kind: 'list', items: values };
    if (open === '(' && only && values.length === 1) return only;
    return open === '(' ? { kind: 'tuple', items: values } : { kind: 'operation', of: values };
  }

  /** Skips `<…>`. */
  #skipTypes(): void {
    let depth = 0;
    do {
      if (this.#is('<', 0)) depth += 1;
      else if (this.#is('>', 0)) depth -= 1;
      else if (this.#is('>>', 0)) depth -= 2;
      this.#at += 1;
    } while (depth > 0 && this.#at < this.#tokens.length);
  }

  #is(wanted: string, ahead: number): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token !== undefined && !token.named && text(token, this.#context) === wanted;
  }
}
