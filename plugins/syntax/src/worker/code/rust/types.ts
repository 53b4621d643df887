import type { Type, TypeParameter } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';
import { fromFile, segments } from './paths.js';

/** Smart pointers: members of what they point to are members of them. */
const POINTERS = new Set(['Box', 'Rc', 'Arc', 'Pin', 'Cow', 'Ref', 'RefMut', 'MutexGuard', 'ManuallyDrop']);

export function typeOf(node: SyntaxNode, context: Context): Type {
  switch (node.type) {
    case 'type_identifier':
    case 'scoped_type_identifier':
    case 'primitive_type':
    case 'identifier':
    case 'scoped_identifier':
    case 'qualified_type':
      return pathType(node, context);
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return genericType(node, context);
    case 'reference_type':
    case 'pointer_type': {
      const inner = child(node, 'type');
      return { kind: 'wrapper', of: inner ? typeOf(inner, context) : { kind: 'other' } };
    }
    case 'tuple_type':
      return { kind: 'tuple', of: named(node).map((each) => typeOf(each, context)) };
    case 'array_type': {
      const element = child(node, 'element');
      return { kind: 'list', of: element ? typeOf(element, context) : { kind: 'other' } };
    }
    case 'dynamic_type':
    case 'abstract_type': {
      const trait = child(node, 'trait');
      return trait ? typeOf(trait, context) : { kind: 'other' };
    }
    case 'bounded_type':
      return together(boundsOf(node, context));
    case 'bracketed_type':
    case 'parenthesized_type':
    case 'higher_ranked_trait_bound': {
      const inner = child(node, 'type') ?? named(node).at(-1);
      return inner ? typeOf(inner, context) : { kind: 'other' };
    }
    case 'function_type': {
      const parameters = child(node, 'parameters');
      const returns = child(node, 'return_type');
      return {
        kind: 'function',
        parameters: parameters ? boundsOf(parameters, context) : [],
        ...(returns && { returns: typeOf(returns, context) }),
      };
    }
    default:
      return { kind: 'other' };
  }
}

/** Type parameters with the bounds that their `where` clause adds. */
export function typeParameters(node: SyntaxNode, context: Context): TypeParameter[] {
  const { lowering } = context;
  const list = child(node, 'type_parameters');
  const where = ofType(node, 'where_clause');
  const predicates = where ? named(where) : [];
  return (list ? named(list) : [])
    .filter(({ type }) => type === 'type_parameter')
    .flatMap((parameter) => {
      const name = child(parameter, 'name');
      if (!name) return [];
      const text = lowering.textOf(name);
      const bounds = [parameter, ...predicates.filter((each) => subject(each, context) === text)].flatMap(
        (each) => {
          const found = child(each, 'bounds');
          return found ? boundsOf(found, context) : [];
        },
      );
      return [{ name: text, ...(bounds.length > 0 && { bounds }) }];
    });
}

/** The type arguments in a node, without lifetimes. `Item = T` of an iterator counts as an argument. */
export function typeArguments(list: SyntaxNode | undefined, context: Context): Type[] {
  if (!list) return [];
  return named(list)
    .filter(({ type }) => type !== 'lifetime')
    .flatMap((each) => {
      const node = each.type === 'type_binding' ? child(each, 'type') : each;
      return node ? [typeOf(node, context)] : [];
    });
}

/** The types in a list of bounds, parameters or supertraits, without lifetimes. */
export function boundsOf(node: SyntaxNode, context: Context): Type[] {
  return named(node)
    .filter(({ type }) => !['lifetime', 'removed_trait_bound', 'attribute_item'].includes(type))
    .map((each) => typeOf(child(each, 'pattern') ? (child(each, 'type') ?? each) : each, context));
}

function subject(predicate: SyntaxNode, context: Context): string {
  const left = child(predicate, 'left');
  return left ? context.lowering.textOf(left) : '';
}

function pathType(node: SyntaxNode, context: Context): Type {
  const names = segments(node, context).map(({ text }) => text);
  if (names.length === 1 && names[0] === 'Self') return { kind: 'self' };
  const [first = ''] = names;
  const own =
    first === 'Self' && context.self ? segments(context.self, context).map(({ text }) => text) : undefined;
  const path = own
    ? [...own, ...names.slice(1)]
    : ['self', 'super'].includes(first)
      ? fromFile(names, context)
      : names;
  return { kind: 'named', path, ...context.lowering.at(node) };
}

function genericType(node: SyntaxNode, context: Context): Type {
  const base = child(node, 'type');
  if (!base) return { kind: 'other' };
  const type = pathType(base, context);
  const types = typeArguments(child(node, 'type_arguments'), context);
  if (type.kind !== 'named') return type;
  const [first] = types;
  if (first && POINTERS.has(type.path.at(-1) ?? '')) return { kind: 'wrapper', of: types.at(-1) ?? first };
  return types.length === 0 ? type : { ...type, arguments: types };
}

function together(types: readonly Type[]): Type {
  const [only] = types;
  if (!only) return { kind: 'other' };
  return types.length === 1 ? only : { kind: 'intersection', of: types };
}
