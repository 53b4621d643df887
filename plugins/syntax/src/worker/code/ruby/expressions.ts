import type { Argument, Entry, Expression, Literal, Statement } from '../../../code.js';
import { child, named, ofType, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { held, literalOf, withHeld } from '../values.js';
import { callOf, constantOf, SAME, sent } from './calls.js';
import { BLOCK, type Ruby } from './context.js';
import { flowOf, valueOf } from './flow.js';
import { symbolText } from './functions.js';

type ToExpression = (ruby: Ruby, node: SyntaxNode) => Expression;

const EXPRESSIONS: Readonly<Record<string, ToExpression>> = {
  identifier: (ruby, node) => {
    const at = ruby.lowering.at(node);
    const name: Expression = { kind: 'name', ...at, name: ruby.lowering.textOf(node) };
    if (ruby.locals.has(name.name)) return name;
    if (name.name === 'new')
      return { kind: 'call', ...at, callee: { kind: 'this' }, arguments: [], constructs: true };
    if (SAME.has(name.name)) return { kind: 'this', line: at.line };
    return VALUES.test(name.name) ? literal('string') : { kind: 'call', ...at, callee: name, arguments: [] };
  },
  constant: constantOf,
  scope_resolution: constantOf,
  global_variable: (ruby, node) => ({
    kind: 'name',
    ...ruby.lowering.at(node),
    name: ruby.lowering.textOf(node),
  }),
  instance_variable: fieldOf,
  class_variable: fieldOf,
  self: (ruby, node) => ({ kind: 'this', line: ruby.lowering.at(node).line }),
  integer: (ruby, node) => literal('number', ruby.lowering.textOf(node)),
  float: () => literal('number'),
  true: () => literal('boolean'),
  false: () => literal('boolean'),
  nil: () => literal('null'),
  regex: (ruby, node) => interpolated(ruby, node, 'regexp'),
  string: (ruby, node) => interpolated(ruby, node, 'string'),
  chained_string: (ruby, node) => interpolated(ruby, node, 'string'),
  heredoc_beginning: () => literal('string'),
  simple_symbol: (ruby, node) => literal('string', ruby.lowering.textOf(node).slice(1)),
  hash_key_symbol: (ruby, node) => literal('string', ruby.lowering.textOf(node)),
  string_array: () => ({ kind: 'list', items: [] }),
  symbol_array: () => ({ kind: 'list', items: [] }),
  call: callOf,
  super: callOf,
  yield: (ruby, node) => {
    const at = ruby.lowering.at(node);
    const args = ruby.arguments(ofType(node, 'argument_list'), undefined);
    return { kind: 'call', ...at, callee: { kind: 'name', ...at, name: BLOCK }, arguments: args };
  },
  lambda: (ruby, node) => ({ kind: 'function', function: ruby.function(node) }),
  assignment: assignmentOf,
  operator_assignment: (ruby, node) => {
    const [left = NO_NODE, right = NO_NODE] = [child(node, 'left'), child(node, 'right')];
    const name = child(node, 'operator')?.type ?? '';
    const isChoice = /^(?:\|\||&&)=$/.test(name);
    if (isChoice && !READ_BEFORE.has(left.type)) return assignmentOf(ruby, node);
    const before: Statement[] = [];
    const isCall = left.type === 'call';
    const object = isCall ? ruby.expression(child(left, 'receiver') ?? NO_NODE) : ruby.expression(left);
    const target = held(object, node, ruby.lowering, before);
    const method = child(left, 'method') ?? left;
    const read = isCall ? sent(ruby, method, target, ruby.lowering.textOf(method), []) : target;
    const given = ruby.expression(right);
    const changed = isChoice ? given : operation(ruby, node, name, [read, given]);
    const value: Expression = { kind: 'choice', of: [read, changed] };
    return withHeld(
      before,
      isCall ? written(ruby, method, target, value) : { kind: 'assign', target, value },
    );
  },
  element_reference: (ruby, node) => {
    const [object = NO_NODE, key] = [
      child(node, 'object'),
      named(node).find(({ field }) => field !== 'object'),
    ];
    return { kind: 'index', object: ruby.expression(object), ...(key && { key: ruby.expression(key) }) };
  },
  array: listOf,
  right_assignment_list: listOf,
  left_assignment_list: listOf,
  destructured_left_assignment: listOf,
  rest_assignment: (ruby, node) => ({
    kind: 'spread',
    value: ruby.expression(named(node)[0] ?? NO_NODE),
    of: 'list',
  }),
  hash: (ruby, node) => ({ kind: 'object', entries: named(node).map((each) => entryOf(ruby, each)) }),
  pair: (ruby, node) => ruby.expression(child(node, 'value') ?? NO_NODE),
  splat_argument: (ruby, node) => ({
    kind: 'spread',
    value: ruby.expression(named(node)[0] ?? NO_NODE),
    of: 'list',
  }),
  hash_splat_argument: (ruby, node) => ({
    kind: 'spread',
    value: ruby.expression(named(node)[0] ?? NO_NODE),
    of: 'dict',
  }),
  binary: (ruby, node) => {
    const [left = NO_NODE, right = NO_NODE] = [child(node, 'left'), child(node, 'right')];
    const of = [ruby.expression(left), ruby.expression(right)];
    const operator = child(node, 'operator')?.type ?? '';
    // Appending passes a value on, as methods do.
    if (operator === '<<')
      return sent(ruby, node, of[0] as Expression, operator, [{ value: of[1] as Expression }]);
    if (['||', 'or', '&&', 'and'].includes(operator)) return { kind: 'choice', of };
    return operation(ruby, node, operator, of);
  },
  unary: (ruby, node) => {
    const operator = child(node, 'operator')?.type ?? '';
    return operator === 'defined?'
      ? literal('boolean')
      : operation(ruby, node, operator, [ruby.expression(child(node, 'operand') ?? NO_NODE)]);
  },
};

/** An operator is a method of its first operand. */
function operation(ruby: Ruby, node: SyntaxNode, name: string, of: readonly Expression[]): Expression {
  return { kind: 'operation', of, operator: { ...ruby.lowering.at(node), name } };
}

/** Targets that methods read before they may write them. */
const READ_BEFORE = new Set(['call', 'element_reference']);
/** Keywords that look like calls. */
const VALUES = /^__(?:method|FILE|LINE|ENCODING|dir)__$/;

export function expressionOf(ruby: Ruby, node: SyntaxNode): Expression {
  const flow = flowOf(ruby, node);
  if (flow) return valueOf(ruby, flow);
  const lower = Object.hasOwn(EXPRESSIONS, node.type) ? EXPRESSIONS[node.type] : undefined;
  return lower ? lower(ruby, node) : { kind: 'operation', of: parts(ruby, named(node)) };
}

export function argumentsOf(
  ruby: Ruby,
  list: SyntaxNode | undefined,
  block: SyntaxNode | undefined,
): Argument[] {
  return [
    ...named(list ?? NO_NODE).map((each): Argument => {
      const key = each.type === 'pair' ? child(each, 'key') : undefined;
      if (each.type === 'block_argument') return { name: BLOCK, value: blockArgument(ruby, each) };
      if (key?.type !== 'hash_key_symbol') return { value: ruby.expression(each) };
      const value = child(each, 'value');
      return {
        name: ruby.lowering.textOf(key),
        value: value ? ruby.expression(value) : shorthand(ruby, key),
      };
    }),
    ...(block ? [{ name: BLOCK, value: { kind: 'function', function: ruby.function(block) } } as const] : []),
  ];
}

/** `&:name` calls the method on its argument; `&blk` and a lone `&` pass a block on. */
function blockArgument(ruby: Ruby, node: SyntaxNode): Expression {
  const [value] = named(node);
  const at = ruby.lowering.at(node);
  if (!value) return { kind: 'name', ...at, name: BLOCK };
  if (value.type !== 'simple_symbol') return ruby.expression(value);
  const item: Expression = { kind: 'name', ...at, name: 'item' };
  const body = [{ kind: 'return', value: sent(ruby, value, item, symbolText(ruby, value), []) } as const];
  return { kind: 'function', function: { ...at, parameters: [{ target: item }], body } };
}

/** `{name:}` */
function shorthand(ruby: Ruby, key: SyntaxNode): Expression {
  return ruby.expression({ ...key, type: 'identifier' });
}

function entryOf(ruby: Ruby, node: SyntaxNode): Entry {
  const [key, value] = [child(node, 'key'), child(node, 'value')];
  if (!key) return { value: ruby.expression(node) };
  const text = symbolText(ruby, key);
  return {
    key: text === '' ? ruby.expression(key) : literal('string', text),
    value: value ? ruby.expression(value) : shorthand(ruby, key),
  };
}

function listOf(ruby: Ruby, node: SyntaxNode): Expression {
  return { kind: 'list', items: named(node).map((each) => ruby.expression(each)) };
}

function fieldOf(ruby: Ruby, node: SyntaxNode): Expression {
  const name = ruby.lowering.textOf(node);
  return { kind: 'member', ...ruby.lowering.at(node), object: { kind: 'this' }, name };
}

/** `a.b = c` calls the method `b=`. */
function assignmentOf(ruby: Ruby, node: SyntaxNode): Expression {
  const [left = NO_NODE, right = NO_NODE] = [child(node, 'left'), child(node, 'right')];
  const value = ruby.expression(right);
  if (left.type === 'call') return writtenTo(ruby, left, value);
  if (left.type === 'left_assignment_list' && named(left).some(({ type }) => type === 'call'))
    return distributed(ruby, left, value);
  const { symbol } = ruby.lowering.symbolAt(left);
  const target: Expression =
    left.type === 'identifier'
      ? { kind: 'name', ...ruby.lowering.at(left), name: ruby.lowering.textOf(left) }
      : ruby.expression(left);
  if (value.kind !== 'function' || symbol === undefined) return { kind: 'assign', target, value };
  ruby.lowering.define(symbol, { exported: ruby.method === undefined });
  return { kind: 'assign', target, value: { kind: 'function', function: { ...value.function, symbol } } };
}

function writtenTo(ruby: Ruby, target: SyntaxNode, value: Expression): Expression {
  const [receiver = NO_NODE, method = NO_NODE] = [child(target, 'receiver'), child(target, 'method')];
  return written(ruby, method, ruby.expression(receiver), value);
}

function written(ruby: Ruby, method: SyntaxNode, object: Expression, value: Expression): Expression {
  return sent(ruby, method, object, `${ruby.lowering.textOf(method)}=`, [{ value }]);
}

/** `a.b, c = d`: what a method is given is a variable before. */
function distributed(ruby: Ruby, list: SyntaxNode, value: Expression): Expression {
  const { lowering } = ruby;
  const given: Expression = { kind: 'name', ...lowering.at(list), name: lowering.newName() };
  const after: Statement[] = [];
  const items = named(list).map((each): Expression => {
    if (each.type !== 'call') return ruby.expression(each);
    const part: Expression = { kind: 'name', ...lowering.at(each), name: lowering.newName() };
    after.push({ kind: 'evaluate', value: writtenTo(ruby, each, part) });
    return part;
  });
  return {
    kind: 'block',
    body: [
      { kind: 'declare', ...lowering.at(list), name: given.name, value },
      { kind: 'assign', target: { kind: 'list', items }, value: given },
      ...after,
    ],
    value: given,
  };
}

function interpolated(ruby: Ruby, node: SyntaxNode, type: Literal['type']): Expression {
  const inside = named(node).filter((each) => each.type === 'interpolation' || each.type === 'string');
  const text = symbolText(ruby, node);
  if (!inside.some((each) => each.children.some((inner) => inner.named && inner.type !== 'string_content'))) {
    return literal(type, text);
  }
  return { kind: 'operation', of: inside.flatMap((each) => textsOf(ruby, each)), type };
}

/** What the last statement of an interpolation gives is asked for its text. */
function textsOf(ruby: Ruby, node: SyntaxNode): Expression[] {
  if (node.type !== 'interpolation') return parts(ruby, [node]);
  const values = parts(ruby, named(node));
  const last = values.at(-1);
  if (!last || last.kind === 'operation') return values;
  return [...values.slice(0, -1), operation(ruby, node, 'string', [last])];
}

function parts(ruby: Ruby, nodes: readonly SyntaxNode[]): Expression[] {
  return nodes.map((each) => ruby.expression(each)).filter(({ kind }) => kind !== 'literal');
}

function literal(type: Literal['type'], text = ''): Literal {
  return literalOf(type, text);
}
