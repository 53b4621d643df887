import type { NamedType, Type, TypeParameter } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { nameText } from './context.js';

/** Absent for `var`. */
export function optionalType(node: SyntaxNode | undefined, lowering: Lowering): { readonly type?: Type } {
  if (!node || node.type === 'implicit_type') return {};
  const inner = node.type === 'ref_type' || node.type === 'scoped_type' ? child(node, 'type') : undefined;
  return inner ? optionalType(inner, lowering) : { type: typeOf(node, lowering) };
}

export function typeOf(node: SyntaxNode, lowering: Lowering): Type {
  const inner = (): Type => {
    const found = child(node, 'type') ?? named(node)[0];
    return found ? typeOf(found, lowering) : { kind: 'other' };
  };
  switch (node.type) {
    case 'nullable_type':
      return nullable(inner());
    case 'pointer_type':
    case 'ref_type':
    case 'scoped_type':
      return { kind: 'wrapper', of: inner() };
    case 'array_type':
      return { kind: 'list', of: inner() };
    case 'tuple_type':
      return {
        kind: 'tuple',
        of: named(node).map((each) => optionalType(child(each, 'type'), lowering).type ?? { kind: 'other' }),
        names: named(node).map((each) => {
          const name = child(each, 'name');
          return name ? nameText(name, lowering) : '';
        }),
      };
    case 'identifier':
    case 'predefined_type':
    case 'generic_name':
    case 'qualified_name':
    case 'alias_qualified_name':
    case 'member_access_expression':
      return delegateType(namedType(node, lowering) ?? { kind: 'other' });
    default:
      return { kind: 'other' };
  }
}

/** Types of the language and the library that are values, of which `T?` is another type. */
const VALUES = new Set(
  (
    'bool sbyte byte short ushort char int uint long ulong nint nuint float double decimal ' +
    'DateTime DateTimeOffset TimeSpan DateOnly TimeOnly Guid'
  ).split(' '),
);

/** `T?`, which is `Nullable<T>` for a value. Of other types it is not known here whether they are values. */
function nullable(type: Type): Type {
  if (type.kind !== 'named' || !VALUES.has(type.path.at(-1) ?? '')) return { kind: 'wrapper', of: type };
  const { start, line } = type;
  return { kind: 'named', path: ['Nullable'], arguments: [type], start, line };
}

/** `Func<A, B>` and the like take any number of types: they become function types. */
function delegateType(type: Type): Type {
  if (type.kind !== 'named') return type;
  const { arguments: given = [], start, line } = type;
  const plain = (name: string): Type => ({ kind: 'named', path: [name], start, line });
  switch (type.path.at(-1) ?? '') {
    case 'Func':
      return { kind: 'function', parameters: given.slice(0, -1), ...returnsOf(given.at(-1)) };
    case 'Action':
      return { kind: 'function', parameters: given };
    case 'Predicate':
      return { kind: 'function', parameters: given, returns: plain('bool') };
    case 'Comparison':
      return { kind: 'function', parameters: [...given, ...given], returns: plain('int') };
    case 'EventHandler':
      return { kind: 'function', parameters: [{ kind: 'other' }, given[0] ?? { kind: 'other' }] };
    default:
      return type;
  }
}

const returnsOf = (type: Type | undefined) => (type ? { returns: type } : {});

function namedType(node: SyntaxNode, lowering: Lowering): NamedType | undefined {
  const path: string[] = [];
  let last: SyntaxNode | undefined;
  let given: readonly Type[] = [];
  const visit = (part: SyntaxNode): void => {
    if (part.type === 'type_argument_list') given = named(part).map((each) => typeOf(each, lowering));
    else if (part.children.length > 0 && part.type !== 'identifier') {
      for (const each of named(part)) if (each.field !== 'alias') visit(each);
    } else {
      path.push(nameText(part, lowering));
      last = part;
      given = [];
    }
  };
  if (node.type === 'predefined_type') {
    path.push(lowering.textOf(node));
    last = node;
  } else visit(node);
  return last && { kind: 'named', path, ...lowering.at(last), ...(given.length > 0 && { arguments: given }) };
}

/** The `<…>` of a generic name. */
export function typeArguments(
  node: SyntaxNode | undefined,
  lowering: Lowering,
): { readonly types?: readonly Type[] } {
  const last = node?.type === 'qualified_name' ? child(node, 'name') : node;
  const list = last?.type === 'generic_name' ? ofType(last, 'type_argument_list') : undefined;
  const types = list ? named(list).map((each) => typeOf(each, lowering)) : [];
  return types.length > 0 ? { types } : {};
}

/** The type parameters of a declaration with their constraints. */
export function typeParameters(
  node: SyntaxNode,
  lowering: Lowering,
): { readonly types?: readonly TypeParameter[] } {
  const list = ofType(node, 'type_parameter_list');
  if (!list) return {};
  const bounds = new Map<string, Type[]>();
  for (const clause of node.children.filter((each) => each.type === 'type_parameter_constraints_clause')) {
    const name = ofType(clause, 'identifier');
    const types = clause.children.flatMap((each) =>
      each.type === 'type_parameter_constraint' ? (child(each, 'type') ?? []) : [],
    );
    if (name && types.length > 0)
      bounds.set(
        lowering.textOf(name),
        types.map((each) => typeOf(each, lowering)),
      );
  }
  const types = named(list).flatMap((each) => {
    const name = child(each, 'name');
    if (!name) return [];
    const text = lowering.textOf(name);
    const of = bounds.get(text);
    return [{ name: text, ...(of && { bounds: of }) }];
  });
  return { types };
}
