import type { Expression, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';

/** Functions that make one prototype inherit from another. They take functions, `Object.setPrototypeOf` prototypes. */
const INHERITS = /^(?:(?:\w+\.)?(?:inherits|__extends|_inherits(?:Loose)?))$/;
const EXTENDS = 'Object.setPrototypeOf';

/** `util.inherits(A, B)`, `Object.setPrototypeOf(A.prototype, B.prototype)`: a call that assigns a prototype. */
export function prototypeCall(node: SyntaxNode, context: Context): Statement[] | undefined {
  const callee = child(node, 'function');
  const list = child(node, 'arguments');
  if (node.type !== 'call_expression' || !callee || list?.type !== 'arguments') return undefined;
  const [first, ...others] = named(list);
  if (!first || others.length === 0) return undefined;
  const text = context.lowering.textOf(callee);
  if (INHERITS.test(text)) {
    const values = [first, ...others.slice(0, 1)].map((each) => prototypeOf(each, context));
    const [target, value] = values;
    const called: Statement = { kind: 'evaluate', value: context.expression(node) };
    return target && value && [called, { kind: 'assign', target, value }];
  }
  if (text !== EXTENDS || !isPrototype(first, context)) return undefined;
  const target = context.expression(first);
  return others.map((each) => ({ kind: 'assign', target, value: context.expression(each) }));
}

/** The prototype that `A.prototype = …` assigns; of `Object.create(B.prototype)` without own members, that of `B`. */
export function prototypeValue(left: SyntaxNode, right: SyntaxNode, context: Context): SyntaxNode {
  const callee = child(right, 'function');
  const list = child(right, 'arguments');
  if (!isPrototype(left, context) || !callee || context.lowering.textOf(callee) !== 'Object.create')
    return right;
  const [prototype, members] = list ? named(list) : [];
  const hasOwn = members?.type === 'object' && named(members).length > 0;
  return (!hasOwn && prototype) || right;
}

function isPrototype(node: SyntaxNode, { lowering }: Context): boolean {
  const property = child(node, 'property');
  return (
    node.type === 'member_expression' && property !== undefined && lowering.textOf(property) === 'prototype'
  );
}

function prototypeOf(node: SyntaxNode, context: Context): Expression {
  return {
    kind: 'member',
    object: context.expression(node),
    name: 'prototype',
    ...context.lowering.at(node),
  };
}
