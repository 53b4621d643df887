import type { Expression } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { call, type Context } from './context.js';

/** `Reflect.apply(f, a, b)` and `Reflect.construct(A, b)`: the call that they stand for. */
export function reflectedCall(node: SyntaxNode, context: Context): Expression | undefined {
  const callee = child(node, 'function');
  const list = child(node, 'arguments');
  if (callee?.type !== 'member_expression' || list?.type !== 'arguments') return undefined;
  const text = context.lowering.textOf(callee);
  if (text !== 'Reflect.apply' && text !== 'Reflect.construct') return undefined;
  const [target, ...others] = named(list).map(context.expression);
  if (!target) return undefined;
  const at = context.lowering.at(child(callee, 'property') ?? callee);
  if (text === 'Reflect.apply')
    return call({ kind: 'member', object: target, name: 'apply', ...at }, others, at);
  const [given] = others;
  const spread = given ? [{ kind: 'spread' as const, value: given, of: 'list' as const }] : [];
  return { ...call(target, spread, at), constructs: true };
}

/** `new Proxy(a, b)` stands for what it is made for, unless calls of it are seen to run something else. */
export function proxied(node: SyntaxNode, made: Expression, context: Context): Expression {
  const callee = child(node, 'constructor');
  if (made.kind !== 'call' || !callee || context.lowering.textOf(callee) !== 'Proxy') return made;
  const [target, handler] = made.arguments;
  return target && !(handler && trapsCalls(handler.value))
    ? { kind: 'choice', of: [target.value, { ...made, arguments: made.arguments.slice(1) }] }
    : made;
}

function trapsCalls(handler: Expression): boolean {
  if (handler.kind !== 'object') return false;
  return handler.entries.some(
    ({ key }) => key?.kind === 'literal' && (key.text === 'apply' || key.text === 'construct'),
  );
}
