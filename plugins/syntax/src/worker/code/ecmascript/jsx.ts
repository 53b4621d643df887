import type { Entry, Expression } from '../../../code.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { stringLiteral, type Context } from './context.js';

/** `<A b={c}>d</A>` calls `A` with an object of its attributes and children; elements of HTML are evaluated only. */
export function jsx(node: SyntaxNode, context: Context): Expression {
  const tag = child(node, 'open_tag') ?? node;
  const name = child(tag, 'name');
  const attributes = childrenIn(tag, 'attribute').map((each) => attribute(each, context));
  const children = tag === node ? [] : named(node).filter(({ field }) => field === null);
  const items = children.flatMap((each) => content(each, context));
  if (!name || isIntrinsic(name, context)) {
    return { kind: 'operation', of: [...attributes.map(({ value }) => value), ...items] };
  }
  const nested: Entry[] =
    items.length > 0 ? [{ key: stringLiteral('children'), value: { kind: 'list', items } }] : [];
  return {
    kind: 'call',
    callee: context.expression(name),
    arguments: [{ value: { kind: 'object', entries: [...attributes, ...nested] } }],
    ...context.lowering.at(child(name, 'property') ?? name),
  };
}

/** `<div>`, `<svg:a>`; a component starts with a capital letter or is a member. */
function isIntrinsic(name: SyntaxNode, { lowering }: Context): boolean {
  return (
    name.type === 'jsx_namespace_name' || (name.type === 'identifier' && /^[a-z]/.test(lowering.textOf(name)))
  );
}

function attribute(node: SyntaxNode, context: Context): Entry {
  if (node.type !== 'jsx_attribute') return { value: content(node, context)[0] ?? UNKNOWN };
  const [key, value] = named(node);
  return {
    key: key ? stringLiteral(context.lowering.textOf(key)) : UNKNOWN,
    value: (value && content(value, context)[0]) ?? { kind: 'literal', type: 'boolean' },
  };
}

/** Texts and empty braces have no value. */
function content(node: SyntaxNode, context: Context): Expression[] {
  if (node.type === 'jsx_text' || node.type === 'html_character_reference') return [];
  if (node.type !== 'jsx_expression') return [context.expression(node)];
  const value = named(node)[0];
  if (value?.type !== 'spread_element') return value ? [context.expression(value)] : [];
  const spread = named(value)[0];
  return spread ? [{ kind: 'spread', value: context.expression(spread), of: 'dict' }] : [];
}
