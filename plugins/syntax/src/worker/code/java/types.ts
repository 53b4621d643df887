import type { Type, TypeParameter } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';

/** Absent for `var`. */
export function optionalType(node: SyntaxNode | undefined, lowering: Lowering): { readonly type?: Type } {
  if (!node || (node.type === 'type_identifier' && lowering.textOf(node) === 'var')) return {};
  return { type: typeOf(node, lowering) };
}

export function typeOf(node: SyntaxNode, lowering: Lowering): Type {
  switch (node.type) {
    case 'array_type': {
      const element = child(node, 'element');
      const dimensions = child(node, 'dimensions');
      return withDimensions(element ? typeOf(element, lowering) : { kind: 'other' }, dimensions);
    }
    case 'annotated_type': {
      const inner = named(node).at(-1);
      return inner ? typeOf(inner, lowering) : { kind: 'other' };
    }
    case 'wildcard': {
      const bound = named(node).find(({ type }) => type !== 'super' && !type.endsWith('annotation'));
      return bound ? typeOf(bound, lowering) : { kind: 'other' };
    }
    case 'catch_type':
      return union(
        'union',
        named(node).map((each) => typeOf(each, lowering)),
      );
    default:
      return namedType(node, lowering);
  }
}

/** One type as it is, several as a union or intersection. */
export function union(kind: 'union' | 'intersection', of: readonly Type[]): Type {
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of };
}

/** `int a[]`: the brackets may follow the name. */
export function withDimensions(type: Type, dimensions: SyntaxNode | undefined): Type {
  const count = dimensions?.children.filter((each) => each.type === '[').length ?? 0;
  let result = type;
  for (let i = 0; i < count; i += 1) result = { kind: 'list', of: result };
  return result;
}

function namedType(node: SyntaxNode, lowering: Lowering): Type {
  const path: string[] = [];
  let last: SyntaxNode | undefined;
  let typeArguments: SyntaxNode | undefined;
  const visit = (part: SyntaxNode): void => {
    if (part.type === 'type_arguments') typeArguments = part;
    else if (part.type.endsWith('annotation')) return;
    else if (part.type === 'generic_type' || part.type.startsWith('scoped_')) named(part).forEach(visit);
    else {
      path.push(lowering.textOf(part));
      last = part;
      typeArguments = undefined;
    }
  };
  visit(node);
  if (!last) return { kind: 'other' };
  const given = typeArguments ? named(typeArguments).map((each) => typeOf(each, lowering)) : [];
  return { kind: 'named', path, ...lowering.at(last), ...(given.length > 0 && { arguments: given }) };
}

/** The `<…>` of a call or construction. */
export function typeArguments(
  node: SyntaxNode | undefined,
  lowering: Lowering,
): { readonly types?: readonly Type[] } {
  const types = node ? named(node).map((each) => typeOf(each, lowering)) : [];
  return types.length > 0 ? { types } : {};
}

export function typeParameters(
  node: SyntaxNode | undefined,
  lowering: Lowering,
): { readonly types?: readonly TypeParameter[] } {
  if (!node) return {};
  const types = named(node).map((parameter) => {
    const name = ofType(parameter, 'type_identifier', 'identifier');
    const bound = ofType(parameter, 'type_bound');
    return {
      name: name ? lowering.textOf(name) : '',
      ...(bound && { bounds: named(bound).map((each) => typeOf(each, lowering)) }),
    };
  });
  return { types };
}
