import type { Argument, Expression, FunctionCode, Parameter, Statement } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import { COMPARISONS, evaluate, UNKNOWN, withHeld } from '../values.js';
import type { Context } from './context.js';
import { pathExpression } from './paths.js';
import { TokenList } from './token-list.js';

/** Macros whose value is a list of their arguments. */
const LISTS = new Set(['vec']);
/** Words of the language in a list of tokens. */
const WORDS = new Set(['crate', 'self', 'super', 'identifier', 'primitive_type', 'metavariable']);
const NUMBERS = new Set(['integer_literal', 'float_literal']);
/** Operators between two values, the weakest first. Those of the first level make a range. */
const LEVELS = ['.. ..=', '||', '&&', '== != < > <= >=', '|', '^', '&', '<< >>', '+ -', '* / %'];
const BINDING: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((level, index) => level.split(' ').map((each): [string, number] => [each, index])),
);
const RANGE = 0;
/** Operators before a value that change nothing for its members. */
const TRANSPARENT = new Set(['&', '&&', '*', 'mut']);
const UNARY = new Set(['-', '!']);
/** Closures in closures that are read. */
const MAX_CLOSURES = 20;

export function isList(macro: string): boolean {
  return LISTS.has(macro);
}

/** The expressions between the commas of a list of tokens. */
export function tokenArguments(tree: SyntaxNode, context: Context): Expression[] {
  return TokenList.inside(tree, context)
    .split([',', ';'])
    .flatMap(({ tokens }) => argument(tokens, context));
}

/** What one argument evaluates. */
export function argument(tokens: TokenList, context: Context, closures = 0): Expression[] {
  const parts = new TokenReader(tokens, context, closures).expressions();
  const [only] = parts;
  if (only) return [parts.length === 1 ? only : { kind: 'operation', of: parts }];
  return tokens.length > 0 ? [UNKNOWN] : [];
}

/** Reads the expressions in a list of tokens; words of statements only separate them. */
class TokenReader {
  readonly #tokens: TokenList;
  readonly #context: Context;
  /** The closures around that the tokens are in. */
  readonly #closures: number;
  #at = 0;

  constructor(tokens: TokenList, context: Context, closures: number) {
    this.#tokens = tokens;
    this.#context = context;
    this.#closures = closures;
  }

  expressions(): Expression[] {
    const found: Expression[] = [];
    while (this.#at < this.#tokens.length) {
      const value = this.#expression(RANGE);
      if (value) found.push(value);
    }
    return found;
  }

  /** An operand with the operators after it that bind at least so strongly; nothing for a token that begins none. */
  #expression(least: number): Expression | undefined {
    const start = this.#at;
    let value = this.#operand();
    if (!value) {
      if (this.#at === start) this.#at += 1;
      return undefined;
    }
    for (;;) {
      const token = this.#tokens.at(this.#at);
      if (this.#tokens.is(this.#at, 'as')) {
        this.#at += 1;
        this.#operand();
        continue;
      }
      const name = token && !token.named ? this.#tokens.text(this.#at) : '';
      const level = BINDING.get(name);
      if (!token || level === undefined || level < least) return value;
      this.#at += 1;
      const right = this.#expression(level + 1);
      const of: readonly Expression[] = right ? [value, right] : [value];
      value =
        level === RANGE
          ? { kind: 'set', items: of }
          : {
              kind: 'operation',
              of,
              ...(COMPARISONS.has(name) && { type: 'boolean' }),
              operator: { name, ...this.#context.lowering.at(token) },
            };
    }
  }

  /** One operand with its calls and members. */
  #operand(): Expression | undefined {
    const operators: SyntaxNode[] = [];
    for (; ; this.#at += 1) {
      const before = this.#tokens.at(this.#at);
      const text = this.#tokens.text(this.#at);
      if (before && UNARY.has(text)) operators.push(before);
      else if (!TRANSPARENT.has(text)) break;
    }
    const value = this.#plainOperand();
    const [operator] = operators;
    if (!operator || !value) return value;
    const { lowering } = this.#context;
    return {
      kind: 'operation',
      of: [value],
      operator: { name: lowering.textOf(operator), ...lowering.at(operator) },
    };
  }

  /** An operand without operators before it. */
  #plainOperand(): Expression | undefined {
    const token = this.#tokens.at(this.#at);
    if (!token) return undefined;
    const text = this.#tokens.text(this.#at);
    if (text === 'move' || text === '|' || text === '||') return this.#closure(token);
    this.#at += 1;
    if (token.type === 'token_tree') return this.#postfix(this.#group(token));
    if (token.type === 'string_literal') return this.#postfix({ kind: 'literal', type: 'string' });
    if (NUMBERS.has(token.type)) return this.#postfix({ kind: 'literal', type: 'number' });
    if (!WORDS.has(token.type)) return undefined;
    // `name:` of a struct or a declaration, `name =` of a format string.
    if (this.#is(':', 0) || (this.#is('=', 0) && token.type === 'identifier')) {
      this.#at += 1;
      return undefined;
    }
    return this.#postfix(this.#path(token));
  }

  /** `|a, b| a.c(b)`, up to the end of the tokens. */
  #closure(first: SyntaxNode): Expression | undefined {
    if (this.#tokens.text(this.#at) === 'move') this.#at += 1;
    const isClosure = this.#is('|', 0) || this.#is('||', 0);
    if (!isClosure || this.#closures === MAX_CLOSURES) return undefined;
    const end = this.#tokens.endOfClosureHead(this.#at);
    const head = this.#tokens.slice(this.#at + 1, end);
    const body = this.#tokens.slice(end + 1);
    this.#at = this.#tokens.length;
    const context = this.#context;
    return context.locals.within((): Expression => {
      const parameters = head.split([',']).map(({ tokens }): Parameter => {
        const name = tokens.firstName();
        if (!name) return { target: UNKNOWN };
        const local = context.locals.bind(context.lowering.textOf(name));
        return { target: { kind: 'name', name: local, ...context.lowering.at(name) } };
      });
      const [value] = argument(body, context, this.#closures + 1);
      const code: FunctionCode = {
        ...context.lowering.at(first),
        parameters,
        body: value ? [{ kind: 'return', value }] : [],
      };
      return { kind: 'function', function: code };
    });
  }

  #path(first: SyntaxNode): Expression {
    const { lowering } = this.#context;
    let value = pathExpression(first, this.#context);
    if (first.type === 'crate' || first.type === 'super' || (first.type === 'self' && this.#is('::', 0))) {
      value = { kind: 'name', name: lowering.textOf(first), ...lowering.at(first) };
    }
    while (this.#is('::', 0)) {
      this.#at += 1;
      if (this.#is('<', 0)) this.#at = this.#tokens.endOfTypes(this.#at);
      else {
        const name = this.#tokens.at(this.#at);
        if (!name || !WORDS.has(name.type)) break;
        this.#at += 1;
        value = { kind: 'member', object: value, name: lowering.textOf(name), ...lowering.at(name) };
      }
    }
    if (value.kind !== 'name' && value.kind !== 'member') return value;
    const isMacro = this.#is('!', 0);
    const tree = this.#tokens.at(isMacro ? this.#at + 1 : this.#at);
    if (tree?.type !== 'token_tree') return value;
    if (isMacro) {
      this.#at += 2;
      const values = tokenArguments(tree, this.#context);
      if (isList(value.name)) return { kind: 'list', items: values };
      return this.#call({ ...value, name: `${value.name}!` }, first, values);
    }
    const fields = /^\p{Lu}/u.test(value.name) ? this.#fields(tree) : undefined;
    if (!fields) return value;
    this.#at += 1;
    return {
      kind: 'call',
      start: value.start,
      line: value.line,
      callee: value,
      arguments: fields,
      constructs: true,
    };
  }

  /** `{ a: b, c, ..d }`; nothing for other braces. */
  #fields(tree: SyntaxNode): Argument[] | undefined {
    const list = TokenList.inside(tree, this.#context);
    if (list.open !== '{') return undefined;
    const given: Argument[] = [];
    for (const { tokens } of list.split([','])) {
      const name = tokens.at(0);
      if (tokens.is(0, '..')) continue;
      if (name?.type !== 'identifier' || (tokens.length > 1 && !tokens.is(1, ':'))) return undefined;
      const value =
        tokens.length === 1
          ? [pathExpression(name, this.#context)]
          : argument(tokens.slice(2), this.#context);
      given.push(...value.map((each) => ({ name: this.#context.lowering.textOf(name), value: each })));
    }
    return given;
  }

  #postfix(start: Expression): Expression {
    let value = start;
    for (;;) {
      const token = this.#tokens.at(this.#at);
      const next = this.#tokens.at(this.#at + 1);
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
        const { lowering } = this.#context;
        value = { kind: 'member', object: value, name: lowering.textOf(next), ...lowering.at(next) };
        if (this.#is('::', 0)) this.#at = this.#tokens.endOfTypes(this.#at + 1);
      } else if (this.#is('.', 0)) {
        this.#at += 2;
        value = { kind: 'await', value };
      } else if (token.type === 'token_tree' && value.kind !== 'literal') {
        const open = this.#tokens.text(this.#at)[0];
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
        : this.#context.lowering.at(at ?? (this.#tokens.at(0) as SyntaxNode));
    return { kind: 'call', ...place, callee, arguments: values.map((value) => ({ value })) };
  }

  /** `(a)`, `(a, b)`, `[a]`, and the statements of `{ … }`. */
  #group(tree: SyntaxNode): Expression {
    const list = TokenList.inside(tree, this.#context);
    if (list.open === '{') return this.#block(list);
    const values = tokenArguments(tree, this.#context);
    const [only] = values;
    if (list.open === '[') return { kind: 'list', items: values };
    return only && values.length === 1 ? only : { kind: 'tuple', items: values };
  }

  /** Statements of which a `let` may bind a name. The value is that of the last, unless a semicolon ends it. */
  #block(list: TokenList): Expression {
    const context = this.#context;
    return context.locals.within((): Expression => {
      const body: Statement[] = [];
      let last: Expression | undefined;
      for (const { tokens, end } of list.split([',', ';'])) {
        if (last) body.push(...evaluate(last));
        const [value] = argument(tokens.afterLet(), context);
        last = end === ';' ? undefined : value;
        const name = tokens.letName();
        if (name && value) {
          const local = context.locals.bind(context.lowering.textOf(name));
          body.push({ kind: 'declare', name: local, ...context.lowering.at(name), value });
        } else if (value && !last) body.push(...evaluate(value));
      }
      return last ? withHeld(body, last) : { kind: 'block', body };
    });
  }

  #is(wanted: string, ahead: number): boolean {
    return this.#tokens.is(this.#at + ahead, wanted);
  }
}
