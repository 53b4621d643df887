import type { Entry, Expression, Statement } from '../../../code.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';
import { after, evaluate, held, UNKNOWN, withHeld } from '../values.js';
import { call } from './calls.js';
import { provedValue, where } from './conditions.js';
import { NONE, type Context } from './context.js';
import { lambda } from './functions.js';
import { prefixed, prefixOf } from './prefixes.js';

export function expression(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const lower = (each: SyntaxNode): Expression => expression(each, context);
  const all = (): Expression[] => named(node).map(lower);
  const part = (field: string): Expression => {
    const found = child(node, field);
    return found ? lower(found) : NONE;
  };
  switch (node.type) {
    case 'identifier':
    case 'keyword_identifier':
      return { kind: 'name', ...lowering.at(node), name: lowering.textOf(node) };
    case 'dotted_name':
      return named(node)
        .slice(1)
        .reduce<Expression>(
          (object, each) => ({ kind: 'member', ...lowering.at(each), object, name: lowering.textOf(each) }),
          lower(node.children[0] as SyntaxNode), // a dotted name has a first part
        );
    case 'attribute': {
      const name = child(node, 'attribute') ?? node;
      return { kind: 'member', ...lowering.at(name), object: part('object'), name: lowering.textOf(name) };
    }
    case 'subscript':
      return subscript(node, context);
    case 'call':
      return call(node, context);
    case 'lambda':
      return lambda(node, context);
    case 'string':
    case 'concatenated_string':
      return string(node, context);
    case 'integer':
      return integer(lowering.textOf(node));
    case 'float':
      return { kind: 'literal', type: 'number' };
    // True and 1 are one key of a dictionary.
    case 'true':
      return { kind: 'literal', type: 'number', text: '1' };
    case 'false':
      return { kind: 'literal', type: 'number', text: '0' };
    case 'none':
      return NONE;
    case 'ellipsis':
      return UNKNOWN;
    case 'list':
    case 'list_pattern':
      return { kind: 'list', items: all() };
    case 'set':
      return { kind: 'set', items: all() };
    case 'tuple':
    case 'expression_list':
    case 'pattern_list':
    case 'tuple_pattern':
      return { kind: 'tuple', items: all() };
    case 'dictionary':
      return { kind: 'object', entries: named(node).map((each) => entry(each, context)) };
    case 'list_splat':
    case 'list_splat_pattern':
      return { kind: 'spread', of: 'list', value: all()[0] ?? NONE };
    case 'dictionary_splat':
    case 'dictionary_splat_pattern':
      return { kind: 'spread', of: 'dict', value: all()[0] ?? NONE };
    case 'list_comprehension':
    case 'set_comprehension':
    case 'generator_expression':
    case 'dictionary_comprehension':
      return comprehension(node, context);
    case 'parenthesized_expression':
      return all()[0] ?? NONE;
    case 'conditional_expression': {
      const [value = node, condition = node, other = node] = named(node);
      const of = [
        provedValue(condition, true, value, context),
        provedValue(condition, false, other, context),
      ];
      return after([lower(condition)], { kind: 'choice', of });
    }
    case 'boolean_operator': {
      const isAnd = child(node, 'operator')?.type === 'and';
      const right = provedValue(child(node, 'left'), isAnd, child(node, 'right') ?? node, context);
      return isAnd ? after([part('left')], right) : { kind: 'choice', of: [part('left'), right] };
    }
    case 'named_expression':
      return { kind: 'assign', target: part('name'), value: part('value'), declares: true };
    case 'await':
      return { kind: 'await', value: all()[0] ?? NONE };
    case 'yield':
      context.frame.generator = true;
      return {
        kind: 'yield',
        value: all()[0] ?? NONE,
        ...(node.children.some((each) => each.type === 'from') && { from: true as const }),
      };
    case 'binary_operator':
      return binary(node, part('left'), part('right'), context);
    case 'unary_operator': {
      const [operand = NONE] = all();
      const negative =
        operand.kind === 'literal' && operand.text !== undefined && child(node, 'operator')?.type === '-';
      if (negative) return { ...operand, text: `-${operand.text}` };
      return operation(node, [operand], child(node, 'operator')?.type, context);
    }
    case 'comparison_operator':
      return comparison(node, context);
    default:
      return { kind: 'operation', of: all() };
  }
}

/** Longer texts are not keys. */
const MAX_KEY = 100;

function integer(text: string): Expression {
  const value = Number(text.replaceAll('_', ''));
  return { kind: 'literal', type: 'number', ...(Number.isSafeInteger(value) && { text: String(value) }) };
}

function string(node: SyntaxNode, context: Context): Expression {
  const parts = node.type === 'string' ? [node] : named(node);
  const of: Expression[] = [];
  let text = '';
  let prefix: string | undefined;
  for (const inner of parts.flatMap((each) => each.children)) {
    if (inner.type === 'interpolation') {
      prefix ??= text;
      for (const each of interpolated(inner)) of.push(context.expression(each, context));
    } else if (inner.type === 'string_content') text += context.lowering.textOf(inner);
  }
  if (prefix !== undefined) return prefixed(prefix, { kind: 'operation', type: 'string', of });
  return { kind: 'literal', type: 'string', ...(text.length <= MAX_KEY && { text }) };
}

/** The expressions of `{a:{b}}`. */
function interpolated(node: SyntaxNode): SyntaxNode[] {
  return named(node).flatMap((each) => {
    if (each.type === 'format_specifier') return named(each).flatMap(interpolated);
    return each.type === 'type_conversion' ? [] : [each];
  });
}

/** An operation with an operator that classes may define. */
export function operation(
  node: SyntaxNode,
  of: readonly Expression[],
  name: string | undefined,
  { lowering }: Context,
): Extract<Expression, { kind: 'operation' }> {
  return { kind: 'operation', of, ...(name !== undefined && { operator: { name, ...lowering.at(node) } }) };
}

/** `a < b < c` compares twice. */
function comparison(node: SyntaxNode, context: Context): Expression {
  const operands = named(node);
  const before: Statement[] = [];
  const values = operands.map((each, at) => {
    const value = context.expression(each, context);
    const isShared = at > 0 && at < operands.length - 1;
    return isShared ? held(value, each, context.lowering, before) : value;
  });
  const pairs = operands.slice(1).flatMap((right, at): Expression[] => {
    const left = operands[at];
    const [first, second] = values.slice(at, at + 2);
    if (!left || !first || !second) return [];
    const name = context.lowering.text.slice(left.end, right.start).trim();
    const isMembership = /^(?:not\s+)?in$/.test(name);
    const of = isMembership ? [second, first] : [first, second];
    return [operation(right, of, isMembership ? 'in' : name, context)];
  });
  const [only] = pairs;
  return withHeld(before, pairs.length === 1 && only ? only : { kind: 'operation', of: pairs });
}

/** `+` joins list literals; other operators have plain results, unless a class defines them. */
function binary(node: SyntaxNode, left: Expression, right: Expression, context: Context): Expression {
  const isList = ({ kind }: Expression): boolean => kind === 'list' || kind === 'tuple';
  const operator = child(node, 'operator')?.type;
  if (operator === '+' && (isList(left) || isList(right)))
    return { kind: 'list', items: [...itemsOf(left), ...itemsOf(right)] };
  const text = left.kind === 'literal' && left.type === 'string';
  const made = {
    ...operation(node, [left, right], operator, context),
    ...(text && { type: 'string' as const }),
  };
  if (operator === '+') return prefixed(prefixOf(left), made);
  return operator === '%' ? prefixed(prefixOf(left)?.split('%')[0], made) : made;
}

/** The items of a list literal; else the value as one that is spread. */
export function itemsOf(value: Expression): readonly Expression[] {
  return value.kind === 'list' || value.kind === 'tuple'
    ? value.items
    : [{ kind: 'spread', of: 'list', value }];
}

function subscript(node: SyntaxNode, context: Context): Expression {
  const object = child(node, 'value');
  const keys = childrenIn(node, 'subscript');
  const [first] = keys;
  const of = object ? context.expression(object, context) : NONE;
  if (first?.type === 'slice' && keys.length === 1) {
    const colons = first.children.flatMap((each, at) => (each.type === ':' ? [at] : []));
    const from = first.children.slice(0, colons[0]).find((each) => each.named);
    const to = first.children.slice((colons[0] ?? 0) + 1, colons[1]).find((each) => each.named);
    const step =
      colons[1] === undefined ? undefined : first.children.slice(colons[1]).find((each) => each.named);
    // With a step, the place of an element is not known.
    const parts = [from, step].flatMap((each) => (each ? [context.expression(each, context)] : []));
    const start = step ? ({ kind: 'operation', of: parts } as const) : parts[0];
    return {
      kind: 'slice',
      object: of,
      ...(start && { from: start }),
      ...(to && { to: context.expression(to, context) }),
    };
  }
  const text = object ? context.lowering.textOf(object) : '';
  const lowered = keys.map((each): Expression => {
    const isOwnName = /^(?:sys\.)?modules$/.test(text) && context.lowering.textOf(each) === '__name__';
    return isOwnName
      ? { kind: 'literal', type: 'string', text: '__name__' }
      : context.expression(each, context);
  });
  const [key] = lowered;
  // In a function these are its own variables, which no object has.
  const isLocal = /^(?:locals|vars)\(\)$/.test(text);
  if (isLocal && key?.kind === 'literal' && key.type === 'string' && key.text !== undefined)
    return after([of], { kind: 'name', ...context.lowering.at(node), name: key.text });
  if (!key) return { kind: 'index', object: of };
  return { kind: 'index', object: of, key: lowered.length > 1 ? { kind: 'tuple', items: lowered } : key };
}

function entry(node: SyntaxNode, context: Context): Entry {
  if (node.type !== 'pair') return { value: context.expression(node, context) };
  const key = child(node, 'key');
  const value = child(node, 'value');
  return {
    ...(key && { key: context.expression(key, context) }),
    value: value ? context.expression(value, context) : NONE,
  };
}

function comprehension(node: SyntaxNode, context: Context): Expression {
  const [first, ...clauses] = named(node);
  const body: Statement[] = clauses.flatMap((each): Statement[] => {
    const target = child(each, 'left');
    const of = child(each, 'right');
    if (each.type === 'for_in_clause' && target && of)
      return [
        {
          kind: 'each',
          target: context.expression(target, context),
          of: context.expression(of, context),
          declares: true,
        },
      ];
    return named(each).flatMap((inner) => [
      ...evaluate(context.expression(inner, context)),
      ...where(inner, true, context).before,
    ]);
  });
  if (!first) return { kind: 'block', body };
  if (node.type === 'dictionary_comprehension')
    return { kind: 'block', body, value: { kind: 'object', entries: [entry(first, context)] } };
  const items = [context.expression(first, context)];
  return { kind: 'block', body, value: { kind: node.type === 'set_comprehension' ? 'set' : 'list', items } };
}
