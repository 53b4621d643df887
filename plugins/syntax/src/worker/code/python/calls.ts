import type { Argument, Call, Expression } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { after, NONE, type Context } from './context.js';

/** A call. For some builtin functions the result is known: `super()`, `cast(A, b)`, `getattr(a, "b")`, `dict(a=b)`. */
export function call(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const callee = child(node, 'function') ?? node;
  const list = child(node, 'arguments');
  const items = list?.type === 'argument_list' ? named(list) : list ? [list] : [];
  const name = callee.type === 'attribute' ? (child(callee, 'attribute') ?? callee) : callee;
  const made: Call = {
    kind: 'call',
    ...lowering.at(name),
    callee: context.expression(callee, context),
    arguments: items.map((each) => argument(each, context)),
  };
  const bare: Call = { ...made, arguments: [] };
  const [first, second, third] = made.arguments;
  switch (lowering.textOf(callee)) {
    case 'super':
      return { kind: 'super', call: bare };
    case 'cast':
    case 'typing.cast': {
      const [type] = items;
      if (!type || !second) return made;
      return after([bare], { kind: 'cast', type: context.type(type, context), value: second.value });
    }
    case 'getattr': {
      const key = second?.value;
      if (!first || key?.kind !== 'literal' || key.type !== 'string' || key.text === undefined) return made;
      const member: Expression = {
        kind: 'member',
        object: first.value,
        name: key.text,
        ...lowering.at(name),
      };
      return after([bare], third ? { kind: 'choice', of: [member, third.value] } : member);
    }
    case 'dict': {
      if (!first || made.arguments.some((each) => each.name === undefined)) return made;
      const entries = made.arguments.map(({ name: key = '', value }) => ({
        key: { kind: 'literal', type: 'string', text: key } as const,
        value,
      }));
      return after([bare], { kind: 'object', entries });
    }
    default:
      return made;
  }
}

function argument(node: SyntaxNode, context: Context): Argument {
  if (node.type !== 'keyword_argument') return { value: context.expression(node, context) };
  const name = child(node, 'name');
  const value = child(node, 'value');
  return {
    ...(name && { name: context.lowering.textOf(name) }),
    value: value ? context.expression(value, context) : NONE,
  };
}
