import type { Argument, Call, Expression } from '../../../code.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN, typeValue } from '../values.js';
import type { JavaFile } from './context.js';
import { typeArguments, typeOf, withDimensions } from './types.js';

export function argumentsOf(node: SyntaxNode | undefined, file: JavaFile): Argument[] {
  return node ? named(node).map((each) => ({ value: file.expression(each) })) : [];
}

/** `new A(…)`, `outer.new A(…)`, `new A(…) { … }`. */
export function creation(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const type = child(node, 'type');
  if (!type) return UNKNOWN;
  const outer = node.children[0];
  let callee = typeValue(typeOf(type, lowering));
  if (outer?.named && callee.kind === 'name' && !outer.type.endsWith('annotation')) {
    callee = { ...callee, kind: 'member', object: file.expression(outer) };
  }
  const body = ofType(node, 'class_body');
  const at = lowering.at(type);
  if (body) {
    callee = {
      kind: 'class',
      class: {
        form: 'class',
        supertypes: [{ relation: 'extends', type: typeOf(type, lowering) }],
        members: file.statements(named(body)),
        ...at,
      },
    };
  }
  return {
    kind: 'call',
    callee,
    constructs: true,
    arguments: argumentsOf(child(node, 'arguments'), file),
    ...typeArguments(ofType(type, 'type_arguments'), lowering),
    ...at,
  };
}

/** `A::b` is the member; `A::new` a function that constructs. */
export function methodReference(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const [object, name] = node.children.filter((each) => each.named || each.type === 'new');
  if (!object || !name) return UNKNOWN;
  const at = lowering.at(name);
  if (name.type !== 'new') {
    const text = lowering.textOf(name);
    return { kind: 'member', object: file.expression(object), name: text, method: true, ...at };
  }
  if (object.type === 'array_type')
    return {
      kind: 'function',
      function: {
        parameters: [{ target: { kind: 'name', name: 'length', ...at } }],
        body: [{ kind: 'return', value: { kind: 'list', items: [] } }],
        ...at,
      },
    };
  const rest: Expression = { kind: 'name', name: 'arguments', ...at };
  const call: Call = {
    kind: 'call',
    callee: typeValue(typeOf(object, lowering)),
    constructs: true,
    arguments: [{ value: { kind: 'spread', value: rest, of: 'list' } }],
    ...typeArguments(ofType(object, 'type_arguments'), lowering),
    ...at,
  };
  return {
    kind: 'function',
    function: {
      parameters: [{ target: rest, rest: 'list' }],
      body: [{ kind: 'return', value: call }],
      ...at,
    },
  };
}

export function arrayCreation(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const element = child(node, 'type');
  const initializer = child(node, 'value');
  const sizes = childrenIn(node, 'dimensions');
  const items = initializer ? file.expressions(named(initializer)) : [];
  let type = element ? typeOf(element, lowering) : ({ kind: 'other' } as const);
  for (const size of sizes) {
    type = size.type === 'dimensions_expr' ? { kind: 'list', of: type } : withDimensions(type, size);
  }
  return {
    kind: 'cast',
    value: {
      kind: 'block',
      body: sizes.flatMap(named).map((each) => ({ kind: 'evaluate', value: file.expression(each) })),
      value: { kind: 'list', items },
    },
    type,
  };
}
