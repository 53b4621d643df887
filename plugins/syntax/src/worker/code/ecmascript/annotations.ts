import type { Expression, Type, TypeParameter } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';

export function typeOf(node: SyntaxNode | undefined, context: Context): Type {
  return node ? context.type(node) : { kind: 'other' };
}

/** The annotation of a declaration: `: T`. */
export function annotation(node: SyntaxNode, context: Context, field = 'type'): { readonly type?: Type } {
  const type = child(node, field);
  return type ? { type: context.type(type) } : {};
}

export function typeParameters(
  node: SyntaxNode,
  context: Context,
): { readonly types?: readonly TypeParameter[] } {
  const list = ofType(node, 'type_parameters');
  if (!list) return {};
  const types = named(list)
    .filter(({ type }) => type === 'type_parameter')
    .map((each) => {
      const of = child(each, 'constraint');
      const name = child(each, 'name');
      return { name: name ? context.lowering.textOf(name) : '', ...(of && { bounds: [context.type(of)] }) };
    });
  return { types };
}

export function typeArguments(node: SyntaxNode, context: Context): readonly Type[] | undefined {
  const list = ofType(node, 'type_arguments');
  return list && named(list).map(context.type);
}

/** The type that an expression names: `A`, `a.B`; the supertype of a class. */
export function typeNamedBy(value: Expression, types: readonly Type[] | undefined): Type {
  const names: string[] = [];
  let at = value;
  while (at.kind === 'member') {
    names.unshift(at.name);
    at = at.object;
  }
  if (at.kind !== 'name') return { kind: 'other' };
  const { start, line } = value.kind === 'member' ? value : at;
  return { kind: 'named', path: [at.name, ...names], ...(types && { arguments: types }), start, line };
}
