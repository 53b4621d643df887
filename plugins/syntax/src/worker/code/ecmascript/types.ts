import type { Declare, Expression, NamedType, Statement, Type } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { annotation, typeArguments, typeOf } from './annotations.js';
import { hasToken, moduleOf, propertyName, stringText, type Context } from './context.js';
import { signature } from './functions.js';

type TypeRule = (node: SyntaxNode, context: Context) => Type;

const inner: TypeRule = (node, context) => typeOf(named(node)[0], context);
const unknown: TypeRule = (node, context) => {
  const of = named(node).map(context.type).filter(isKnown);
  return of.length > 0 ? { kind: 'other', of } : { kind: 'other' };
};
const union: TypeRule = (node, context) => several('union', node, context);
/** `a is T`, with the types that it names. */
const predicate: TypeRule = (node, context) => {
  const written = child(node, 'type');
  const name = child(node, 'name');
  if (!written || !name) return { kind: 'other' };
  const type = context.type(written);
  return { kind: 'other', guard: { name: context.lowering.textOf(name), type } };
};
/** `asserts a is T`, `asserts a`. */
const assertion: TypeRule = (node, context) => {
  const type = inner(node, context);
  return type.kind === 'other' && type.guard
    ? { ...type, guard: { ...type.guard, asserts: true } }
    : { kind: 'other' };
};

/** By the node's type. */
export const TYPES: ReadonlyMap<string, TypeRule> = new Map<string, TypeRule>([
  ['type_annotation', inner],
  ['type_predicate_annotation', inner],
  ['asserts_annotation', inner],
  ['parenthesized_type', inner],
  ['readonly_type', inner],
  ['constraint', inner],
  ['default_type', inner],
  ['optional_type', inner],
  ['type_predicate', predicate],
  ['asserts', assertion],
  ['type_identifier', name],
  ['identifier', name],
  ['nested_type_identifier', path],
  ['nested_identifier', path],
  ['member_expression', path],
  ['generic_type', generic],
  ['predefined_type', predefined],
  ['literal_type', literal],
  ['template_literal_type', (node, context) => ({ ...plain('string', node, context) })],
  ['this_type', () => ({ kind: 'self' })],
  ['union_type', union],
  ['intersection_type', (node, context) => several('intersection', node, context)],
  ['array_type', (node, context) => ({ kind: 'list', of: inner(node, context) })],
  ['rest_type', inner],
  ['tuple_type', tuple],
  ['required_parameter', element],
  ['optional_parameter', element],
  ['object_type', object],
  ['function_type', functionType],
  ['constructor_type', constructorType],
  ['type_query', query],
  ['lookup_type', lookup],
  ['index_type_query', unknown],
  ['conditional_type', unknown],
  ['infer_type', () => ({ kind: 'other' })],
]);

/** Members of an interface or of an object type. */
export function typeMembers(body: SyntaxNode, context: Context): Statement[] {
  return membersOf(named(body), context);
}

function membersOf(nodes: readonly SyntaxNode[], context: Context): Statement[] {
  return nodes.flatMap((member): Statement[] => {
    if (member.type === 'property_signature') return [property(member, context)];
    if (member.type === 'index_signature') return [indexSignature(member, context)];
    if (SIGNATURES.has(member.type)) return [{ kind: 'function', function: signature(member, context) }];
    return [];
  });
}

/** The name of the operation that reads an element in the graph's builtin types. */
const INDEX = '@index';

const SIGNATURES: ReadonlySet<string> = new Set([
  'method_signature',
  'call_signature',
  'construct_signature',
]);

/** `[name: string]: T`: a member that stands for all that nothing else declares. */
export function indexSignature(node: SyntaxNode, context: Context): Declare {
  return {
    kind: 'declare',
    name: INDEX,
    type: typeOf(child(node, 'type'), context),
    ...context.lowering.at(node),
  };
}

function property(node: SyntaxNode, context: Context): Declare {
  const key = child(node, 'name') ?? node;
  const { lowering } = context;
  return {
    kind: 'declare',
    name: propertyName(key, context),
    ...annotation(node, context),
    ...lowering.symbolAt(key),
    ...lowering.at(key),
  };
}

function isKnown(type: Type): boolean {
  return type.kind !== 'other' || type.of !== undefined;
}

function plain(text: string, node: SyntaxNode, { lowering }: Context): NamedType {
  return { kind: 'named', path: [text], ...lowering.at(node) };
}

function name(node: SyntaxNode, context: Context): Type {
  return plain(context.lowering.textOf(node), node, context);
}

/** `A.B`, and `import('./a').B` of a module that no statement imports. */
function path(node: SyntaxNode, context: Context): Type {
  const imported = importedPath(node, context);
  if (imported) return { kind: 'named', path: imported, ...context.lowering.at(node) };
  const names = context.lowering
    .textOf(node)
    .split('.')
    .map((part) => part.trim());
  return { kind: 'named', path: names, ...context.lowering.at(node) };
}

function importedPath(node: SyntaxNode, context: Context): string[] | undefined {
  const { lowering, typeImports } = context;
  const object = child(node, 'object');
  const property = child(node, 'property');
  if (!object || !property) return undefined;
  const module = moduleOf(object, context);
  const outer = module ? [`import(${stringText(module, context)})`] : importedPath(object, context);
  if (!outer) return undefined;
  const [local = ''] = outer;
  if (module && !typeImports.has(local)) {
    const of = { module: stringText(module, context), local, ...lowering.at(object) };
    typeImports.set(local, { kind: 'import', form: 'namespace', typeOnly: true, ...of });
  }
  return [...outer, lowering.textOf(property)];
}

function generic(node: SyntaxNode, context: Context): Type {
  const type = typeOf(child(node, 'name') ?? named(node)[0], context);
  const types = typeArguments(node, context);
  return type.kind === 'named' && types ? { ...type, arguments: types } : type;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'symbol', 'bigint']);

function predefined(node: SyntaxNode, context: Context): Type {
  const text = context.lowering.textOf(node);
  return PLAIN.has(text) ? plain(text, node, context) : { kind: 'other' };
}

function literal(node: SyntaxNode, context: Context): Type {
  const value = named(node)[0]?.type ?? '';
  if (value === 'string') return plain('string', node, context);
  if (value === 'number' || value === 'unary_expression') return plain('number', node, context);
  return value === 'true' || value === 'false' ? plain('boolean', node, context) : { kind: 'other' };
}

/** A flat union without types that have no members: `null`, `undefined`, `never`. */
function several(kind: 'union' | 'intersection', node: SyntaxNode, context: Context): Type {
  const of = flatten(node, node.type).map(context.type).filter(isKnown);
  return of.length === 1 ? (of[0] as Type) : of.length === 0 ? { kind: 'other' } : { kind, of };
}

function flatten(node: SyntaxNode, type: string): SyntaxNode[] {
  return named(node).flatMap((each) => (each.type === type ? flatten(each, type) : [each]));
}

function tuple(node: SyntaxNode, context: Context): Type {
  const items = named(node);
  const last = items.at(-1);
  if (items.length === 1 && last?.type === 'rest_type') return context.type(last);
  return { kind: 'tuple', of: items.map(context.type) };
}

function element(node: SyntaxNode, context: Context): Type {
  return typeOf(child(node, 'type') ?? child(node, 'name') ?? child(node, 'pattern'), context);
}

/** An index signature alone makes a map; beside others it adds one. */
function object(node: SyntaxNode, context: Context): Type {
  const all = named(node);
  const index = all.find(({ type }) => type === 'index_signature');
  const members = membersOf(
    all.filter((each) => each !== index),
    context,
  );
  if (!index) return { kind: 'object', members };
  const mapped = ofType(index, 'mapped_type_clause');
  const key = child(index, 'index_type') ?? (mapped && child(mapped, 'type'));
  const map: Type = {
    kind: 'map',
    key: typeOf(key, context),
    of: typeOf(child(index, 'type'), context),
  };
  return members.length === 0 ? map : { kind: 'intersection', of: [{ kind: 'object', members }, map] };
}

function functionType(node: SyntaxNode, context: Context): Type {
  const { parameters, returns, receiver } = signature(node, context);
  return {
    kind: 'function',
    parameters: parameters.map(({ type, rest }) =>
      rest ? { kind: 'other', ...(type && { of: [type] }) } : (type ?? { kind: 'other' }),
    ),
    ...(returns && { returns }),
    ...(receiver?.type && { receiver: receiver.type }),
  };
}

function constructorType(node: SyntaxNode, context: Context): Type {
  return { kind: 'object', members: [{ kind: 'function', function: signature(node, context) }] };
}

function query(node: SyntaxNode, context: Context): Type {
  const value = named(node)[0];
  return value ? { kind: 'typeof', value: withoutPromise(context.expression(value)) } : { kind: 'other' };
}

/** `typeof import('a').b` names the module, not a promise of it. */
function withoutPromise(value: Expression): Expression {
  if (value.kind === 'member') return { ...value, object: withoutPromise(value.object) };
  if (value.kind !== 'import') return value;
  const { async: _, ...module } = value;
  return module;
}

function lookup(node: SyntaxNode, context: Context): Type {
  const [of, index] = named(node);
  const key = index?.type === 'literal_type' ? ofType(index, 'string') : undefined;
  if (of && key) return { kind: 'indexed', of: context.type(of), key: stringText(key, context) };
  const position = index?.type === 'literal_type' ? ofType(index, 'number') : undefined;
  if (of && position)
    return { kind: 'indexed', of: context.type(of), key: context.lowering.textOf(position) };
  if (of && index?.type === 'predefined_type') {
    return { kind: 'indexed', of: context.type(of), key: hasToken(index, 'number') ? 'number' : 'string' };
  }
  return unknown(node, context);
}
