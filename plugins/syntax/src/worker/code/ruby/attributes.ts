import type { Expression, FunctionCode, Statement } from '../../../code.js';
import { child, ofType, type SyntaxNode } from '../syntax-node.js';
import { sent } from './calls.js';
import type { Ruby } from './context.js';
import { symbolText } from './functions.js';

/** Calls that mix modules into a class. */
export const MIXES = new Set(['include', 'prepend', 'extend']);

export function fieldOf(ruby: Ruby, node: SyntaxNode, name: string): Expression {
  return { kind: 'member', ...ruby.lowering.at(node), object: { kind: 'this' }, name: `@${name}` };
}

/** Members that `attr_reader :a`, `attr_writer :a` and `attr_accessor :a` define. */
export function accessors(
  ruby: Ruby,
  node: SyntaxNode,
  name: string,
  kind: string,
  isStatic: boolean,
): Statement[] {
  const at = ruby.lowering.at(node);
  const field = fieldOf(ruby, node, name);
  const value: Expression = { kind: 'name', ...at, name };
  const extra = isStatic ? ({ static: true } as const) : {};
  const reader: FunctionCode = {
    ...at,
    name,
    parameters: [],
    body: [{ kind: 'return', value: field }],
    ...extra,
  };
  const writer: FunctionCode = {
    ...at,
    name: `${name}=`,
    parameters: [{ target: value }],
    body: [{ kind: 'assign', target: field, value }],
    ...extra,
  };
  return [...(kind === 'attr_writer' ? [] : [reader]), ...(kind === 'attr_reader' ? [] : [writer])].map(
    (each) => ({
      kind: 'function',
      function: each,
    }),
  );
}

/** Calls that define methods which pass a call on to another object. */
export const DELEGATORS: ReadonlySet<string> = new Set(['def_delegators', 'def_delegator', 'delegate']);

/** Members of `def_delegators :@a, :b, :c`, `def_delegator :@a, :b, :c` and `delegate :b, :c, to: :a`. */
export function delegated(ruby: Ruby, method: string, args: readonly SyntaxNode[]): Statement[] {
  const [first, second, third] = args;
  const target = method === 'delegate' ? args.find(({ type }) => type === 'pair') : first;
  const object = target?.type === 'pair' ? child(target, 'value') : target;
  if (!object?.type.endsWith('symbol') || !second) return [];
  const names = method === 'def_delegator' ? [second] : args.filter((each) => each !== target);
  return names.flatMap((each): Statement[] => {
    const name = symbolText(ruby, each);
    const own = method === 'def_delegator' && third ? symbolText(ruby, third) : name;
    if (name === '' || own === '') return [];
    const at = ruby.lowering.at(each);
    const value: Expression = { kind: 'member', ...at, object: delegate(ruby, object), name };
    const body: Statement[] = [{ kind: 'return', value }];
    return [{ kind: 'function', function: { ...at, name: own, parameters: [], body, accessor: 'get' } }];
  });
}

/** `:@a` is a field, `:a` a method. */
function delegate(ruby: Ruby, node: SyntaxNode): Expression {
  const name = symbolText(ruby, node);
  const self: Expression = { kind: 'this' };
  return name.startsWith('@') ? fieldOf(ruby, node, name.slice(1)) : sent(ruby, node, self, name, []);
}

/** True for the body of a module whose methods can be called on it: `extend self`, `module_function`. */
export function extendsItself(ruby: Ruby, body: readonly SyntaxNode[]): boolean {
  return body.some((each) => {
    const method = each.type === 'call' ? child(each, 'method') : each;
    const text = method?.type === 'identifier' ? ruby.lowering.textOf(method) : '';
    const list = child(each, 'arguments');
    return text === 'module_function' || (text === 'extend' && list && ofType(list, 'self') !== undefined);
  });
}
