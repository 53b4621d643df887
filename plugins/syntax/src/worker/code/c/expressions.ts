import type { Argument, Entry, Expression, Literal, Statement, Type } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { literalOf } from '../values.js';
import { callOf } from './calls.js';
import type { Unit } from './context.js';
import { lastName, nameOf, pathOf } from './names.js';
import { isPrimitive, numberOf } from './primitives.js';

type ToExpression = (unit: Unit, node: SyntaxNode) => Expression;

const EXPRESSIONS: Readonly<Record<string, ToExpression>> = {
  identifier: nameOf,
  field_identifier: nameOf,
  type_identifier: nameOf,
  qualified_identifier: nameOf,
  template_function: nameOf,
  this: (unit, node) => addressOf(unit, thisOf(unit, node)),
  number_literal: (unit, node) =>
    unit.cpp
      ? numberOf(unit.lowering.textOf(node), unit.lowering.at(node))
      : literal('number', unit.lowering.textOf(node)),
  char_literal: (unit, node) => (unit.cpp ? typed(unit, node, literal('number'), 'char') : literal('number')),
  string_literal: (unit, node) => literal('string', unit.lowering.text.slice(node.start + 1, node.end - 1)),
  concatenated_string: () => literal('string'),
  raw_string_literal: () => literal('string'),
  true: () => literal('boolean'),
  false: () => literal('boolean'),
  null: nullOf,
  nullptr: nullOf,
  // Operands are not evaluated.
  sizeof_expression: () => literal('number'),
  alignof_expression: () => literal('number'),
  offsetof_expression: () => literal('number'),
  requires_expression: () => literal('boolean'),
  call_expression: callOf,
  new_expression: (unit, node) => {
    const type = child(node, 'type') ?? NO_NODE;
    const made = addressOf(unit, construction(unit, type, unit.arguments(child(node, 'arguments'))));
    const place = unit.arguments(child(node, 'placement'));
    return place.length === 0 ? made : after(operation(place.map(({ value }) => value)), made);
  },
  compound_literal_expression: (unit, node) => {
    const [type = NO_NODE, value = NO_NODE] = [child(node, 'type'), child(node, 'value')];
    if (unit.cpp && type.type !== 'type_descriptor') return construction(unit, type, unit.arguments(value));
    const of = unit.type(type) ?? OTHER;
    if (of.kind !== 'named' || isPrimitive(of))
      return { kind: 'cast', value: unit.expression(value), type: of };
    const callee = nameOf(unit, child(type, 'type') ?? type);
    return {
      kind: 'call',
      ...unit.lowering.at(node),
      callee,
      arguments: unit.arguments(value),
      constructs: true,
      fields: true,
    };
  },
  field_expression: (unit, node) => {
    const [argument = NO_NODE, field = NO_NODE] = [child(node, 'argument'), child(node, 'field')];
    const value = pointerOf(unit, argument);
    const object: Expression =
      unit.cpp && child(node, 'operator')?.type === '->' && value.kind !== 'this'
        ? { kind: 'unwrap', value }
        : value;
    // `(a.*f)(1)` calls what `f` points to.
    if (child(node, 'operator')?.type.endsWith('*')) return after(value, unit.expression(field));
    const path = pathOf(unit, field);
    const at = unit.lowering.at(lastName(field));
    // `a.Base::run()` names the member of a supertype.
    if (path.length > 1) return nameOf(unit, field);
    return { kind: 'member', ...at, object, name: path[0] ?? '' };
  },
  subscript_expression: (unit, node) => {
    const [object = NO_NODE, key] = [child(node, 'argument'), child(node, 'index') ?? child(node, 'indices')];
    const index = key?.type === 'subscript_argument_list' ? named(key)[0] : key;
    return { kind: 'index', object: unit.expression(object), ...(index && { key: unit.expression(index) }) };
  },
  pointer_expression: (unit, node) => {
    const value = pointerOf(unit, child(node, 'argument') ?? NO_NODE);
    if (child(node, 'operator')?.type !== '*') return addressOf(unit, value);
    return unit.cpp && value.kind !== 'this' ? { kind: 'unwrap', value, pointer: true } : value;
  },
  parenthesized_expression: (unit, node) => {
    const [inner = NO_NODE] = named(node);
    return inner.type === 'compound_statement' ? statementExpression(unit, inner) : unit.expression(inner);
  },
  cast_expression: (unit, node) => {
    const value = unit.expression(child(node, 'value') ?? NO_NODE);
    return { kind: 'cast', value, type: unit.type(child(node, 'type')) ?? OTHER };
  },
  assignment_expression: (unit, node) => {
    const [left = NO_NODE, right = NO_NODE] = [child(node, 'left'), child(node, 'right')];
    const [target, value] = [unit.expression(left), unit.expression(right)];
    const operator = child(node, 'operator')?.type ?? '=';
    return operator === '=' ? { kind: 'assign', target, value } : operationOf(unit, node, [target, value]);
  },
  binary_expression: (unit, node) =>
    operationOf(
      unit,
      node,
      [child(node, 'left'), child(node, 'right')].flatMap((each) => (each ? unit.expression(each) : [])),
    ),
  unary_expression: unaryOf,
  update_expression: updateOf,
  conditional_expression: (unit, node) => {
    const [condition = NO_NODE, then, otherwise] = ['condition', 'consequence', 'alternative'].map((field) =>
      child(node, field),
    );
    const test = unit.expression(condition);
    const of = [
      ...(then ? [unit.expression(then)] : [test]),
      ...(otherwise ? [unit.expression(otherwise)] : []),
    ];
    return then ? after(test, { kind: 'choice', of }) : { kind: 'choice', of };
  },
  comma_expression: (unit, node) => {
    const [left = NO_NODE, right = NO_NODE] = [child(node, 'left'), child(node, 'right')];
    return after(unit.expression(left), unit.expression(right));
  },
  generic_expression: (unit, node) => {
    const [value = NO_NODE, ...rest] = named(node);
    const of = rest.filter(({ type }) => type !== 'type_descriptor').map((each) => unit.expression(each));
    return after(unit.expression(value), { kind: 'choice', of });
  },
  initializer_list: listOf,
  lambda_expression: (unit, node) => ({ kind: 'function', function: unit.lambda(node) }),
  co_await_expression: (unit, node) => ({
    kind: 'await',
    value: unit.expression(child(node, 'argument') ?? NO_NODE),
  }),
  parameter_pack_expansion: (unit, node) => unit.expression(child(node, 'pattern') ?? NO_NODE),
};

const OTHER: Type = { kind: 'other' };

function addressOf(unit: Unit, value: Expression): Expression {
  return unit.cpp ? { kind: 'address', value } : value;
}

function thisOf(unit: Unit, node: SyntaxNode): Expression {
  return { kind: 'this', line: unit.lowering.at(node).line };
}

/** What `->` and `*` take: `this` is then the object itself. */
function pointerOf(unit: Unit, node: SyntaxNode): Expression {
  return node.type === 'this' ? thisOf(unit, node) : unit.expression(node);
}

export function expressionOf(unit: Unit, node: SyntaxNode): Expression {
  const lower = Object.hasOwn(EXPRESSIONS, node.type) ? EXPRESSIONS[node.type] : undefined;
  return lower ? lower(unit, node) : operation(named(node).map((each) => unit.expression(each)));
}

export function isExpression({ type }: SyntaxNode): boolean {
  return Object.hasOwn(EXPRESSIONS, type) || type.endsWith('_expression');
}

/** Arguments of a call, a construction or a list of initial values with designators. */
export function argumentsOf(unit: Unit, list: SyntaxNode | undefined): Argument[] {
  return named(list ?? NO_NODE).map((each) => {
    if (each.type !== 'initializer_pair') return { value: passed(unit, each) };
    const [first, ...rest] = designatorsOf(each);
    const field = first?.type === 'field_designator' ? named(first)[0] : undefined;
    return {
      ...(field && { name: unit.lowering.textOf(field) }),
      value: designated(unit, rest, each),
    };
  });
}

/** `0` may be passed for a pointer. */
function passed(unit: Unit, node: SyntaxNode): Expression {
  const value = unit.expression(node);
  const isZero = unit.cpp && node.type === 'number_literal' && unit.lowering.textOf(node) === '0';
  return isZero ? typed(unit, node, value, 'null_pointer_constant') : value;
}

function nullOf(unit: Unit, node: SyntaxNode): Expression {
  const value = literal('null');
  return unit.cpp ? typed(unit, node, value, 'nullptr_t') : value;
}

function typed(unit: Unit, node: SyntaxNode, value: Expression, name: string): Expression {
  return { kind: 'cast', value, type: { kind: 'named', ...unit.lowering.at(node), path: [name] } };
}

function designatorsOf(pair: SyntaxNode): SyntaxNode[] {
  return named(pair).filter(({ type }) => type.endsWith('_designator'));
}

/** The value of `.a[0] = value` inside of these designators. */
function designated(unit: Unit, designators: readonly SyntaxNode[], pair: SyntaxNode): Expression {
  return designators.reduceRight<Expression>(
    (value, each) => ({ kind: 'object', entries: [{ key: keyOf(unit, each), value }] }),
    unit.expression(child(pair, 'value') ?? NO_NODE),
  );
}

/** `Foo(1)`, `Foo{1}`, `new Foo(1)`. */
function construction(unit: Unit, type: SyntaxNode, args: readonly Argument[]): Expression {
  const made = unit.type(type);
  if (made?.kind === 'named' && isPrimitive(made)) {
    const [first] = args;
    return first && args.length === 1 && type.type === 'primitive_type'
      ? { kind: 'cast', value: first.value, type: made }
      : operation(args.map(({ value }) => value));
  }
  if (made?.kind !== 'named') return operation(args.map(({ value }) => value));
  const { arguments: types } = made;
  const callee = nameOf(unit, type.type === 'dependent_type' ? (named(type)[0] ?? type) : type);
  const at = unit.lowering.at(lastName(type));
  return { kind: 'call', ...at, callee, arguments: args, constructs: true, ...(types && { types }) };
}

function literal(type: Literal['type'], text = ''): Literal {
  return literalOf(type, text);
}

function operation(parts: readonly Expression[]): Expression {
  return { kind: 'operation', of: parts.filter(({ kind }) => kind !== 'literal') };
}

/** Operators of C++ may be functions. */
function operationOf(unit: Unit, node: SyntaxNode, parts: readonly Expression[]): Expression {
  const operator = child(node, 'operator')?.type;
  if (!unit.cpp || !operator || parts.every(({ kind }) => kind === 'literal')) return operation(parts);
  return { kind: 'operation', of: parts, operator: { ...unit.lowering.at(node), name: operator } };
}

function unaryOf(unit: Unit, node: SyntaxNode): Expression {
  return operationOf(unit, node, [unit.expression(child(node, 'argument') ?? NO_NODE)]);
}

/** The function of a postfix operator takes a number that says nothing. */
function updateOf(unit: Unit, node: SyntaxNode): Expression {
  const argument = child(node, 'argument') ?? NO_NODE;
  const isPostfix = child(node, 'operator')?.start !== node.start;
  return operationOf(unit, node, [unit.expression(argument), ...(isPostfix ? [literal('number')] : [])]);
}

function after(evaluated: Expression, value: Expression): Expression {
  if (evaluated.kind === 'literal' || evaluated.kind === 'name') return value;
  return { kind: 'block', body: [{ kind: 'evaluate', value: evaluated }], value };
}

/** `({ … value; })` of GNU C. */
function statementExpression(unit: Unit, node: SyntaxNode): Expression {
  const body: Statement[] = [...unit.statements(node)];
  const last = body.at(-1);
  return last?.kind === 'evaluate'
    ? { kind: 'block', body: body.slice(0, -1), value: last.value }
    : { kind: 'block', body };
}

/** `{ 1, 2 }` is a list, `{ .open = f }` and `{ [0] = f }` are objects. */
function listOf(unit: Unit, node: SyntaxNode): Expression {
  const items = named(node);
  if (!items.some(({ type }) => type === 'initializer_pair')) {
    return { kind: 'list', items: items.map((each) => unit.expression(each)) };
  }
  const entries = items.map((each, index): Entry => {
    if (each.type !== 'initializer_pair')
      return { key: literal('number', `${index}`), value: unit.expression(each) };
    const [first, ...rest] = designatorsOf(each);
    const key = first ? keyOf(unit, first) : literal('number', `${index}`);
    return { key, value: designated(unit, rest, each) };
  });
  return { kind: 'object', entries };
}

/** `.open` is a string, `[1]` what it holds. */
function keyOf(unit: Unit, designator: SyntaxNode): Expression {
  const [inner = NO_NODE] = named(designator);
  return designator.type === 'field_designator'
    ? literal('string', unit.lowering.textOf(inner))
    : unit.expression(inner);
}
