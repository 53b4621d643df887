import type { Argument, Expression, FunctionCode, Literal, Statement, Type } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { COMPARISONS, evaluate } from '../values.js';
import { GoComposites } from './composites.js';
import { BLANK, type GoTypes } from './types.js';

const LITERALS: ReadonlyMap<string, Literal['type']> = new Map([
  ['interpreted_string_literal', 'string'],
  ['raw_string_literal', 'string'],
  ['int_literal', 'number'],
  ['float_literal', 'number'],
  ['imaginary_literal', 'number'],
  ['rune_literal', 'number'],
  ['iota', 'number'],
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['nil', 'null'],
]);
const NAMED_TYPES = new Set(['type_identifier', 'qualified_type', 'generic_type']);
/** Names of types, as far as a name tells. */
const TYPE_NAME =
  /^\*?(?:\w+\.)?(?:\p{Lu}\w*|any|bool|byte|error|float(?:32|64)|rune|string|u?int(?:8|16|32|64)?)$/u;
/** Longer literals are not keys. */
const MAX_TEXT = 100;

/** Expressions of Go. `body` lowers the body of a function. */
export class GoExpressions {
  readonly #lowering: Lowering;
  readonly #types: GoTypes;
  readonly #composites: GoComposites;
  readonly #body: (node: SyntaxNode) => Statement[];

  constructor(lowering: Lowering, types: GoTypes, body: (node: SyntaxNode) => Statement[]) {
    this.#lowering = lowering;
    this.#types = types;
    this.#composites = new GoComposites(lowering, types, (node) => this.expression(node));
    this.#body = body;
  }

  expression(node: SyntaxNode): Expression {
    const literal = LITERALS.get(node.type);
    if (literal) return this.#literal(node, literal);
    switch (node.type) {
      case 'identifier':
      case 'type_identifier':
      case 'package_identifier':
      case 'field_identifier':
        return this.#types.target(node);
      case 'selector_expression':
        return this.#member(node, 'operand', 'field');
      case 'qualified_type':
        return this.#member(node, 'package', 'name');
      case 'call_expression':
        return this.#call(node);
      case 'type_conversion_expression':
        return this.#conversion(node);
      case 'composite_literal':
        return this.#composites.composite(node);
      case 'func_literal':
        return { kind: 'function', function: this.function(node) };
      case 'type_assertion_expression':
        return { kind: 'cast', value: this.#in(node, 'operand'), type: this.#type(node, 'type') };
      case 'index_expression':
        return { kind: 'index', object: this.#in(node, 'operand'), key: this.#in(node, 'index') };
      case 'slice_expression':
        return this.#slice(node);
      case 'unary_expression':
        return this.#unary(node);
      case 'binary_expression':
        return {
          kind: 'operation',
          of: [this.#in(node, 'left'), this.#in(node, 'right')],
          ...(COMPARISONS.has(child(node, 'operator')?.type ?? '') && { type: 'boolean' as const }),
        };
      case 'parenthesized_expression':
      case 'pointer_type':
      case 'parenthesized_type':
      case 'literal_element':
      case 'expression_list':
        return this.#first(node);
      case 'generic_type':
      case 'type_instantiation_expression':
        return this.#in(node, 'type');
      case 'variadic_argument':
        return { kind: 'spread', value: this.#first(node), of: 'list' };
      default:
        return BLANK;
    }
  }

  /** The values of an expression list. */
  expressions(list: SyntaxNode | undefined): Expression[] {
    if (!list) return [];
    const nodes = list.type === 'expression_list' ? named(list) : [list];
    return nodes.map((each) => this.expression(each));
  }

  /** A function literal; `name`: of the variable it is bound to, where that is a symbol. */
  function(node: SyntaxNode, name?: SyntaxNode): FunctionCode {
    const body = child(node, 'body');
    const { symbol } = name ? this.#lowering.symbolAt(name) : {};
    return {
      ...this.#types.signature(node, undefined),
      ...(name && symbol !== undefined && { symbol, name: this.#lowering.textOf(name) }),
      ...(body && { body: this.body(body, child(node, 'result')) }),
    };
  }

  /** A function's body, with the variables that name its results. */
  body(body: SyntaxNode, result: SyntaxNode | undefined): Statement[] {
    const { named: names } = this.#types.results(result);
    const visible = names.filter(({ name }) => name !== '_');
    const statements = [...visible, ...this.#body(body)];
    if (visible.length === 0) return statements;
    // A bare `return` and a deferred function return the values of the variables.
    const values = names.map(({ name, start, line }): Expression =>
      name === '_' ? BLANK : { kind: 'name', name, start, line },
    );
    return [...statements, { kind: 'return', value: tuple(values) }];
  }

  #call(node: SyntaxNode): Expression {
    const callee = child(node, 'function');
    const list = child(node, 'arguments');
    if (!callee || !list) return BLANK;
    const given = named(list);
    const [first, ...rest] = given;
    const builtin = callee.type === 'identifier' ? this.#lowering.textOf(callee) : '';
    if (first && builtin === 'new' && NAMED_TYPES.has(first.type)) return this.#composites.construct(first);
    if (first && (builtin === 'make' || builtin === 'new')) {
      const sizes = rest.map((each) => this.expression(each));
      return { kind: 'cast', value: { kind: 'operation', of: sizes }, type: this.#types.type(first) };
    }
    const values = given.map((each) => this.expression(each));
    if (first && builtin === 'append') {
      const [into, ...items] = values;
      return { kind: 'list', items: [{ kind: 'spread', value: into ?? BLANK, of: 'list' }, ...items] };
    }
    const index = isNamed(callee) ? child(callee, 'index') : undefined;
    const types = index
      ? this.#typesNamed(index)
      : this.#types.typeArguments(callee, child(node, 'type_arguments'));
    return {
      kind: 'call',
      ...this.#lowering.at(nameOf(callee)),
      ...(index && { instantiates: true }),
      callee: this.expression(callee),
      arguments: values.map((value): Argument => ({ value })),
      ...(types.length > 0 && { types }),
    };
  }

  /** The type that an index in brackets may be: `F[*T]()`. */
  #typesNamed(index: SyntaxNode): Type[] {
    const text = this.#lowering.textOf(index);
    if (!TYPE_NAME.test(text)) return [];
    return [{ kind: 'named', path: text.replace('*', '').split('.'), ...this.#lowering.at(index) }];
  }

  /** `[]byte(x)`; also `F[int](x)`, which may be a call. */
  #conversion(node: SyntaxNode): Expression {
    const type = child(node, 'type');
    const value = this.#in(node, 'operand');
    if (type?.type !== 'generic_type') return { kind: 'cast', value, type: this.#type(node, 'type') };
    const base = child(type, 'type') ?? type;
    return {
      kind: 'call',
      ...this.#lowering.at(nameOf(base)),
      callee: this.expression(base),
      arguments: [{ value }],
      types: this.#types.typeArguments(type, child(type, 'type_arguments')),
    };
  }

  #slice(node: SyntaxNode): Expression {
    const value = this.#in(node, 'operand');
    const bounds = ['start', 'end', 'capacity'].flatMap((field): Statement[] => {
      const bound = child(node, field);
      return bound ? evaluate(this.expression(bound)) : [];
    });
    return bounds.length === 0 ? value : { kind: 'block', body: bounds, value };
  }

  #unary(node: SyntaxNode): Expression {
    const value = this.#in(node, 'operand');
    switch (child(node, 'operator')?.type) {
      case '&':
      case '*':
        return value;
      case '<-':
        return { kind: 'index', object: value };
      case undefined:
      default:
        return { kind: 'operation', of: [value] };
    }
  }

  #member(node: SyntaxNode, objectField: string, nameField: string): Expression {
    const name = child(node, nameField);
    if (!name) return this.#in(node, objectField);
    return {
      kind: 'member',
      ...this.#lowering.at(name),
      object: this.#in(node, objectField),
      name: this.#lowering.textOf(name),
    };
  }

  #literal(node: SyntaxNode, type: Literal['type']): Literal {
    const text = this.#lowering.textOf(node);
    const value = type === 'string' ? text.slice(1, -1) : text;
    const key = type === 'string' || node.type === 'int_literal';
    return { kind: 'literal', type, ...(key && value.length <= MAX_TEXT && { text: value }) };
  }

  #type(node: SyntaxNode, field: string): Type {
    const inner = child(node, field);
    return inner ? this.#types.type(inner) : { kind: 'other' };
  }

  #in(node: SyntaxNode, field: string): Expression {
    const inner = child(node, field);
    return inner ? this.expression(inner) : BLANK;
  }

  #first(node: SyntaxNode): Expression {
    const [inner] = named(node);
    return inner ? this.expression(inner) : BLANK;
  }
}

/** One value as it is, several as a tuple. */
export function tuple(values: readonly Expression[]): Expression {
  const [only] = values;
  return only && values.length === 1 ? only : { kind: 'tuple', items: values };
}

/** True for `a[b]` and `a.c[b]`. */
function isNamed(callee: SyntaxNode): boolean {
  const operand = callee.type === 'index_expression' ? child(callee, 'operand') : undefined;
  const first = operand?.type === 'selector_expression' ? child(operand, 'operand') : operand;
  return first?.type === 'identifier';
}

/** Place of a call: the name of the callee. */
function nameOf(callee: SyntaxNode): SyntaxNode {
  return child(callee, 'field') ?? child(callee, 'name') ?? callee;
}
