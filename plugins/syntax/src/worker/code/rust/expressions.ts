import type { Argument, Expression, Literal, Located, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { COMPARISONS, evaluate, withHeld } from '../values.js';
import {
  block,
  blockExpression,
  breakable,
  breakExpression,
  ifExpression,
  innerBlock,
  loop,
  matchExpression,
} from './blocks.js';
import { BLANK, type Context } from './context.js';
import { closure } from './functions.js';
import { macroInvocation } from './macros.js';
import { pathExpression } from './paths.js';
import { typeArguments, typeOf } from './types.js';

const LITERALS: ReadonlyMap<string, Literal['type']> = new Map([
  ['string_literal', 'string'],
  ['raw_string_literal', 'string'],
  ['char_literal', 'other'],
  ['boolean_literal', 'boolean'],
  ['integer_literal', 'number'],
  ['float_literal', 'number'],
]);
/** Longer literals are not keys. */
const MAX_TEXT = 100;

export function expression(node: SyntaxNode, context: Context): Expression {
  const literal = LITERALS.get(node.type);
  if (literal) return literalOf(node, literal, context);
  const of = (each: SyntaxNode | undefined): Expression => (each ? expression(each, context) : BLANK);
  const within = (field: string): Expression => of(child(node, field));
  switch (node.type) {
    case 'identifier':
    case 'scoped_identifier':
    case 'self':
    case 'type_identifier':
    case 'scoped_type_identifier':
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return pathExpression(node, context);
    case 'field_expression':
      return field(node, context);
    case 'generic_function':
      return within('function');
    case 'call_expression':
      return call(node, context);
    case 'struct_expression':
      return struct(node, context);
    case 'macro_invocation':
      return macroInvocation(node, context);
    case 'closure_expression':
      return { kind: 'function', function: closure(node, context) };
    case 'block':
      return node.children.some(({ type }) => type === 'label')
        ? breakable(node, context, (inner) => block(node, inner))
        : blockExpression(node, context);
    case 'unsafe_block':
    case 'async_block':
    case 'const_block':
    case 'try_block':
      return of(innerBlock(node));
    case 'if_expression':
      return ifExpression(node, context);
    case 'match_expression':
      return matchExpression(node, context);
    case 'loop_expression':
      return breakable(node, context, (inner) => ({ body: loop(node, inner) }));
    case 'while_expression':
    case 'for_expression':
      return { kind: 'block', body: loop(node, context) };
    case 'return_expression': {
      const [value] = named(node);
      return { kind: 'block', body: value ? [{ kind: 'return', value: of(value) }] : [] };
    }
    case 'try_expression':
      return { kind: 'unwrap', value: of(named(node)[0]) };
    case 'await_expression':
      return { kind: 'await', value: of(named(node)[0]) };
    case 'type_cast_expression': {
      const type = child(node, 'type');
      return { kind: 'cast', value: within('value'), type: type ? typeOf(type, context) : { kind: 'other' } };
    }
    case 'index_expression':
      return index(node, context);
    case 'array_expression': {
      const items = named(node).filter(({ field: name }) => name !== 'length');
      return { kind: 'list', items: items.map(of) };
    }
    case 'tuple_expression':
      return { kind: 'tuple', items: named(node).map(of) };
    case 'assignment_expression':
      return { kind: 'assign', target: within('left'), value: within('right') };
    case 'reference_expression':
      return reference(node, context);
    case 'parenthesized_expression':
      return of(named(node)[0]);
    case 'unary_expression': {
      const value = of(named(node)[0]);
      const sign = node.children[0]?.type ?? '';
      return sign === '*' ? value : { kind: 'operation', of: [value], ...operatorOf(node, sign, context) };
    }
    case 'binary_expression': {
      const operator = child(node, 'operator')?.type ?? '';
      return {
        kind: 'operation',
        of: [within('left'), within('right')],
        ...(COMPARISONS.has(operator) && { type: 'boolean' }),
        ...operatorOf(node, operator, context),
      };
    }
    case 'compound_assignment_expr':
      return {
        kind: 'operation',
        of: [changed(within('left')), within('right')],
        ...operatorOf(node, child(node, 'operator')?.type ?? '', context),
      };
    case 'range_expression':
      return { kind: 'set', items: named(node).map(of) };
    case 'break_expression':
      return breakExpression(node, context);
    case 'let_condition':
      return { kind: 'operation', of: [within('value')], type: 'boolean' };
    default:
      return BLANK;
  }
}

/** The operator, which a trait of `std::ops` may run. */
function operatorOf(
  node: SyntaxNode,
  name: string,
  { lowering }: Context,
): { readonly operator: { name: string } & Located } {
  return { operator: { name, ...lowering.at(node) } };
}

/** `&mut a[1]` changes the element. */
function reference(node: SyntaxNode, context: Context): Expression {
  const inner = child(node, 'value');
  const value = inner ? expression(inner, context) : BLANK;
  return node.children.some(({ type }) => type === 'mutable_specifier') ? changed(value) : value;
}

function changed(value: Expression): Expression {
  return value.kind === 'index' ? { ...value, changes: true } : value;
}

function literalOf(node: SyntaxNode, type: Literal['type'], { lowering }: Context): Literal {
  const text = lowering.textOf(node);
  const value = type === 'string' ? text.replace(/^[brc]*#*"/, '').replace(/"#*$/, '') : text;
  const key = type === 'string' || node.type === 'integer_literal';
  return { kind: 'literal', type, ...(key && value.length <= MAX_TEXT && { text: value }) };
}

function field(node: SyntaxNode, context: Context): Expression {
  const [value, name] = [child(node, 'value'), child(node, 'field')];
  const object = value ? expression(value, context) : BLANK;
  if (!name) return object;
  return { kind: 'member', object, name: context.lowering.textOf(name), ...context.lowering.at(name) };
}

function call(node: SyntaxNode, context: Context): Expression {
  const written = child(node, 'function');
  const list = child(node, 'arguments');
  if (!written) return BLANK;
  const callee = written.type === 'generic_function' ? (child(written, 'function') ?? written) : written;
  const types = typeArguments(child(written, 'type_arguments'), context);
  const name = child(callee, 'field') ?? child(callee, 'name') ?? callee;
  return {
    kind: 'call',
    ...context.lowering.at(name),
    callee: expression(callee, context),
    arguments: (list ? named(list) : [])
      .filter(({ type }) => type !== 'attribute_item')
      .map((each) => ({ value: expression(each, context) })),
    ...(types.length > 0 && { types }),
  };
}

function struct(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const [name, body] = [child(node, 'name'), child(node, 'body')];
  if (!name) return BLANK;
  const types = typeArguments(child(name, 'type_arguments'), context);
  const given = (body ? named(body) : []).flatMap((each): Argument[] => {
    if (each.type === 'shorthand_field_initializer') {
      const own = named(each).find(({ type }) => type === 'identifier');
      return own ? [{ name: lowering.textOf(own), value: expression(own, context) }] : [];
    }
    if (each.type === 'base_field_initializer') {
      const [base] = named(each);
      if (!base) return [];
      return [{ value: { kind: 'spread', value: baseValue(base, name, context), of: 'dict' } }];
    }
    const [key, value] = [child(each, 'field'), child(each, 'value')];
    return key && value ? [{ name: lowering.textOf(key), value: expression(value, context) }] : [];
  });
  return {
    kind: 'call',
    ...lowering.at(child(name, 'name') ?? name),
    callee: pathExpression(name, context),
    arguments: given,
    constructs: true,
    ...(types.length > 0 && { types }),
  };
}

/** `..Default::default()` is that of the struct. */
function baseValue(node: SyntaxNode, type: SyntaxNode, context: Context): Expression {
  const value = expression(node, context);
  if (value.kind !== 'call' || value.callee.kind !== 'member') return value;
  const { object } = value.callee;
  if (object.kind !== 'name' || object.name !== 'Default') return value;
  return { ...value, callee: { ...value.callee, object: pathExpression(type, context) } };
}

/** A range as the index gives a part of the same collection. */
function index(node: SyntaxNode, context: Context): Expression {
  const [object, key] = named(node);
  const value = object ? expression(object, context) : BLANK;
  if (key?.type !== 'range_expression') {
    return { kind: 'index', object: value, ...(key && { key: expression(key, context) }) };
  }
  const bounds = named(key).flatMap((each): Statement[] => evaluate(expression(each, context)));
  return withHeld(bounds, value);
}
