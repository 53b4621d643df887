import type { Expression, FunctionCode, Statement } from '../../../code.js';
import { child, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Ruby } from './context.js';

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

/** True for the body of a module whose methods can be called on it: `extend self`, `module_function`. */
export function extendsItself(ruby: Ruby, body: readonly SyntaxNode[]): boolean {
  return body.some((each) => {
    const method = each.type === 'call' ? child(each, 'method') : undefined;
    const list = child(each, 'arguments');
    return (
      method !== undefined &&
      ruby.lowering.textOf(method) === 'extend' &&
      list !== undefined &&
      ofType(list, 'self') !== undefined
    );
  });
}
