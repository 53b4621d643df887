import type { Argument, Entry, Expression, Literal } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { after, UNKNOWN } from '../values.js';
import { typeArguments } from './annotations.js';
import { classCode } from './classes.js';
import {
  constantText,
  type Context,
  expressionOf,
  hasToken,
  isPlainText,
  moduleOf,
  operation,
  propertyName,
  stringLiteral,
  stringText,
  withoutParentheses,
} from './context.js';
import { definingArguments } from './descriptors.js';
import { functionCode, FUNCTION_VALUES } from './functions.js';
import { assignment, augmented, binary, sequence, ternary, unary } from './operators.js';
import { elements, pattern } from './patterns.js';
import { proxied, reflectedCall } from './reflection.js';
import { testCase } from './test-cases.js';

type ExpressionRule = (node: SyntaxNode, context: Context) => Expression;

const first: ExpressionRule = (node, context) => expressionOf(named(node)[0], context);
const functionValue: ExpressionRule = (node, context) => ({
  kind: 'function',
  function: functionCode(node, context, undefined),
});
const plain =
  (type: Literal['type']): ExpressionRule =>
  () => ({ kind: 'literal', type });

/** By the node's type. JSX has its own: see `jsx.ts`. */
export const EXPRESSIONS: ReadonlyMap<string, ExpressionRule> = new Map<string, ExpressionRule>([
  ['identifier', name],
  ['shorthand_property_identifier', name],
  ['this', (node, { lowering }) => ({ kind: 'this', line: lowering.at(node).line })],
  ['super', () => ({ kind: 'super' })],
  ['string', (node, context) => stringLiteral(stringText(node, context))],
  ['template_string', template],
  [
    'number',
    (node, context) => ({ ...stringLiteral(context.lowering.textOf(node)), type: 'number' }) as Literal,
  ],
  ['true', plain('boolean')],
  ['false', plain('boolean')],
  ['null', plain('null')],
  ['undefined', plain('null')],
  ['regex', plain('regexp')],
  ['meta_property', plain('other')],
  ['parenthesized_expression', first],
  ['non_null_expression', first],
  ['instantiation_expression', first],
  ['computed_property_name', first],
  ['member_expression', member],
  ['nested_identifier', member],
  ['subscript_expression', subscript],
  ['call_expression', callOrImport],
  ['new_expression', construction],
  ['arrow_function', functionValue],
  ['function_expression', functionValue],
  ['generator_function', functionValue],
  ['class', (node, context) => ({ kind: 'class', class: classCode(node, context, undefined) })],
  ['object', object],
  [
    'array',
    (node, context) => ({ kind: 'list', items: elements(node).map((each) => expressionOf(each, context)) }),
  ],
  ['spread_element', (node, context) => ({ kind: 'spread', value: first(node, context), of: 'list' })],
  ['await_expression', (node, context) => ({ kind: 'await', value: first(node, context) })],
  ['yield_expression', yielded],
  ['as_expression', cast],
  ['satisfies_expression', cast],
  ['type_assertion', cast],
  ['ternary_expression', ternary],
  ['binary_expression', binary],
  ['unary_expression', unary],
  [
    'update_expression',
    (node, context) => operation([expressionOf(child(node, 'argument'), context)], 'number'),
  ],
  ['assignment_expression', assignment],
  ['augmented_assignment_expression', augmented],
  ['sequence_expression', sequence],
  ['array_pattern', pattern],
  ['object_pattern', pattern],
]);

/** See {@link Context.value}. */
export function namedValue(node: SyntaxNode, symbol: SyntaxNode, context: Context): Expression {
  if (FUNCTION_VALUES.has(node.type))
    return { kind: 'function', function: functionCode(node, context, symbol) };
  if (node.type === 'class') return { kind: 'class', class: classCode(node, context, symbol) };
  if (node.type === 'as_expression' || node.type === 'satisfies_expression')
    return cast(node, context, symbol);
  return context.expression(node);
}

function name(node: SyntaxNode, { lowering }: Context): Expression {
  return { kind: 'name', name: lowering.textOf(node), ...lowering.at(node) };
}

/** `module.exports` is the variable `exports`. */
function member(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const object = child(node, 'object');
  const property = child(node, 'property');
  if (!object || !property) return operation(named(node).map(context.expression));
  const text = lowering.textOf(property);
  if (text === 'exports' && object.type === 'identifier' && lowering.textOf(object) === 'module') {
    return { kind: 'name', name: 'exports', ...lowering.at(node) };
  }
  return { kind: 'member', object: context.expression(object), name: text, ...lowering.at(property) };
}

function subscript(node: SyntaxNode, context: Context): Expression {
  const object = expressionOf(child(node, 'object'), context);
  const key = child(node, 'index');
  const name = constantText(key, context);
  if (key && name !== undefined) {
    // The constant is used as well.
    const used = isPlainText(key) || object.kind === 'super' ? [] : [context.expression(key)];
    return { kind: 'member', object: after(used, object), name, ...context.lowering.at(key) };
  }
  return { kind: 'index', object, ...(key && { key: context.expression(key) }) };
}

function callOrImport(node: SyntaxNode, context: Context): Expression {
  const module = moduleOf(node, context);
  const callee = child(node, 'function');
  if (module) {
    return {
      kind: 'import',
      module: stringText(module, context),
      ...(callee?.type === 'import' && { async: true as const }),
      ...context.lowering.at(module),
    };
  }
  testCase(node, context);
  return reflectedCall(node, context) ?? invocation(node, callee, context);
}

function construction(node: SyntaxNode, context: Context): Expression {
  const made = invocation(node, child(node, 'constructor'), context);
  return made.kind === 'call' ? proxied(node, { ...made, constructs: true }, context) : made;
}

function invocation(node: SyntaxNode, callee: SyntaxNode | undefined, context: Context): Expression {
  const list = child(node, 'arguments');
  const types = typeArguments(node, context);
  if (!callee || callee.type === 'import') return operation(list ? named(list).map(context.expression) : []);
  const written = withoutParentheses(callee);
  const at = child(written, 'property') ?? written;
  const given = list ? named(list) : [];
  return {
    kind: 'call',
    callee: context.expression(written),
    arguments: definingArguments(written, given, context) ?? (list ? argumentsOf(list, context) : []),
    ...(written.type === 'super' && { constructs: true as const }),
    ...(types && { types }),
    ...context.lowering.at(at),
  };
}

/** Arguments of a tagged template: the texts, then the values. */
function argumentsOf(list: SyntaxNode, context: Context): Argument[] {
  if (list.type !== 'template_string')
    return named(list).map((each) => ({ value: context.expression(each) }));
  const texts: Expression = { kind: 'list', items: [{ kind: 'literal', type: 'string' }] };
  return [{ value: texts }, ...substitutions(list, context).map((value) => ({ value }))];
}

function template(node: SyntaxNode, context: Context): Expression {
  const of = substitutions(node, context);
  return of.length === 0 ? stringLiteral(stringText(node, context)) : operation(of, 'string');
}

function substitutions(node: SyntaxNode, context: Context): Expression[] {
  return named(node)
    .filter(({ type }) => type === 'template_substitution')
    .map((each) => first(each, context));
}

function object(node: SyntaxNode, context: Context): Expression {
  const entries = named(node).flatMap((each) => entry(each, context));
  const constants = named(node).flatMap(
    (each) => computedKey(child(each, 'key') ?? child(each, 'name')) ?? [],
  );
  const used = constants.filter((each) => !isPlainText(each) && constantText(each, context) !== undefined);
  return after(used.map(context.expression), { kind: 'object', entries });
}

function computedKey(key: SyntaxNode | undefined): SyntaxNode | undefined {
  return key?.type === 'computed_property_name' ? named(key)[0] : undefined;
}

function entry(node: SyntaxNode, context: Context): Entry[] {
  switch (node.type) {
    case 'spread_element':
      return [{ value: { kind: 'spread', value: first(node, context), of: 'dict' } }];
    case 'shorthand_property_identifier':
      return [{ key: stringLiteral(context.lowering.textOf(node)), value: name(node, context) }];
    case 'method_definition': {
      // Inside, its name is not a variable.
      const { name: _, ...code } = functionCode(node, context);
      return [{ key: keyOf(child(node, 'name'), context), value: { kind: 'function', function: code } }];
    }
    case 'pair': {
      const key = child(node, 'key');
      const value = child(node, 'value');
      if (!key || !value) return [];
      const given = context.value(value, key);
      // The prototype of the object, whose members it has, too.
      if (key.type !== 'computed_property_name' && propertyName(key, context) === '__proto__')
        return [{ value: { kind: 'spread', value: given, of: 'dict' } }];
      return [{ key: keyOf(key, context), value: given }];
    }
    default:
      return [];
  }
}

/** A computed key is an expression, unless it is known. */
function keyOf(key: SyntaxNode | undefined, context: Context): Expression {
  if (!key) return UNKNOWN;
  const computed = computedKey(key);
  return computed && constantText(computed, context) === undefined
    ? context.expression(computed)
    : stringLiteral(propertyName(key, context));
}

function yielded(node: SyntaxNode, context: Context): Expression {
  return { kind: 'yield', value: first(node, context), ...(hasToken(node, '*') && { from: true as const }) };
}

/** `as const` changes no type; `satisfies` checks without changing it. A function keeps the name that it is given to. */
function cast(node: SyntaxNode, context: Context, symbol?: SyntaxNode): Expression {
  const parts = named(node);
  const [left, right] = node.type === 'type_assertion' ? [parts[1], parts[0]] : parts;
  const value =
    left && symbol ? namedValue(withoutParentheses(left), symbol, context) : expressionOf(left, context);
  if (!right) return value;
  const written = right.type === 'type_arguments' ? named(right)[0] : right;
  if (!written || context.lowering.textOf(written) === 'const') return value;
  const type = context.type(written);
  return { kind: 'cast', value, type, ...(node.type === 'satisfies_expression' && { keeps: true as const }) };
}
