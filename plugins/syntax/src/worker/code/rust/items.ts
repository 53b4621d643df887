import type { ClassCode, Declare, FunctionCode, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';
import { functionItem } from './functions.js';
import { tokenArguments } from './tokens.js';
import { boundsOf, typeOf, typeParameters } from './types.js';
import { externCrate, moduleFile, useDeclaration } from './uses.js';
import { attributesBefore, unlikelyVariants, withoutName } from './variants.js';

const TYPES = new Set(['struct_item', 'union_item', 'enum_item', 'trait_item', 'mod_item']);
const TEST = /^(?:.*::)?(?:test|rstest|test_case|bench)$/;

/** An item of a module, block, trait or `impl`. */
export function item(node: SyntaxNode, context: Context): Statement[] {
  const statements = lowered(node, context);
  return context.variants?.has(node) ? statements.flatMap(withoutName) : statements;
}

function lowered(node: SyntaxNode, context: Context): Statement[] {
  switch (node.type) {
    case 'use_declaration':
      return useDeclaration(node, context);
    case 'extern_crate_declaration':
      return externCrate(node, context);
    case 'mod_item': {
      const body = child(node, 'body');
      return body ? [inlineModule(node, body, context)] : moduleFile(node, context.attributes ?? [], context);
    }
    case 'function_item':
    case 'function_signature_item':
      return [{ kind: 'function', function: declared(functionItem(node, context), node, context) }];
    case 'struct_item':
    case 'union_item':
      return [{ kind: 'class', class: struct(node, 'struct', context) }];
    case 'enum_item':
      return [{ kind: 'class', class: enumeration(node, context) }];
    case 'trait_item':
      return [{ kind: 'class', class: trait(node, context) }];
    case 'impl_item':
      return implementation(node, context);
    case 'const_item':
    case 'static_item':
      return constant(node, context);
    case 'type_item':
    case 'associated_type':
      return alias(node, context);
    case 'macro_definition':
      return macro(node, context);
    case 'foreign_mod_item': {
      const body = child(node, 'body');
      return body ? named(body).flatMap((each) => item(each, context)) : [];
    }
    case 'macro_invocation':
      return [{ kind: 'evaluate', value: context.expression(node, context) }];
    case 'expression_statement':
      return [{ kind: 'evaluate', value: context.expression(named(node)[0] ?? node, context) }];
    default:
      return [];
  }
}

/** The items of a module: `declared` are its modules and types. */
export function moduleItems(nodes: readonly SyntaxNode[], context: Context): Statement[] {
  const names = nodes.flatMap((each) => {
    const name = TYPES.has(each.type) ? child(each, 'name') : undefined;
    return name ? [context.lowering.textOf(name)] : [];
  });
  const attributes = attributesBefore(nodes, context);
  const variants = unlikelyVariants(nodes, context);
  const inner: Context = { ...context, declared: new Set(names), variants, attributes: [] };
  return nodes.flatMap((each) => {
    const own = attributes.get(each);
    return item(each, own ? { ...inner, attributes: own } : inner);
  });
}

function inlineModule(node: SyntaxNode, body: SyntaxNode, context: Context): Statement {
  const own = naming(node, context);
  const inner = { ...context, modules: [...context.modules, own.name] };
  return { kind: 'class', class: { ...own, form: 'namespace', members: moduleItems(named(body), inner) } };
}

/** The name, place and symbol of an item, marked as exported where it is `pub`. */
function naming(node: SyntaxNode, { lowering }: Context): ClassCode & { readonly name: string } {
  const name = child(node, 'name') ?? node;
  const { symbol } = lowering.symbolAt(name);
  lowering.define(symbol, { exported: isPublic(node) });
  return {
    ...lowering.at(name),
    name: lowering.textOf(name),
    ...(symbol !== undefined && { symbol }),
    form: 'namespace',
    members: [],
  };
}

function isPublic(node: SyntaxNode): boolean {
  return ofType(node, 'visibility_modifier') !== undefined;
}

/** A context with the type parameters of an item. */
function generic(node: SyntaxNode, context: Context) {
  const types = typeParameters(node, context);
  const typeNames = new Set([...context.typeParameters, ...types.map(({ name }) => name)]);
  return { inner: { ...context, typeParameters: typeNames }, types: types.length > 0 ? { types } : {} };
}

function struct(node: SyntaxNode, form: 'struct', context: Context): ClassCode {
  const { inner, types } = generic(node, context);
  const body = child(node, 'body');
  return { ...naming(node, context), form, ...types, members: body ? fields(body, inner) : [] };
}

/** Named fields, or those of a tuple: `0`, `1`. */
function fields(body: SyntaxNode, context: Context): Declare[] {
  const { lowering } = context;
  if (body.type === 'ordered_field_declaration_list') {
    return named(body)
      .filter(({ field }) => field === 'type')
      .map((type, index) => ({
        kind: 'declare',
        name: String(index),
        ...lowering.at(type),
        type: typeOf(type, context),
      }));
  }
  return named(body).flatMap((each): Declare[] => {
    const [name, type] = [child(each, 'name'), child(each, 'type')];
    if (each.type !== 'field_declaration' || !name || !type) return [];
    return [
      { kind: 'declare', name: lowering.textOf(name), ...lowering.at(name), type: typeOf(type, context) },
    ];
  });
}

/** A variant is a class inside the enum that extends it: it has its fields, and the methods of the enum. */
function enumeration(node: SyntaxNode, context: Context): ClassCode {
  const { lowering } = context;
  const { inner, types } = generic(node, context);
  const own = naming(node, context);
  const body = child(node, 'body');
  const variants = (body ? named(body) : []).flatMap((each): Statement[] => {
    const name = child(each, 'name');
    if (each.type !== 'enum_variant' || !name) return [];
    const content = child(each, 'body');
    const place = lowering.at(name);
    const parameters = (types.types ?? []).map((parameter) => ({
      kind: 'named' as const,
      path: [parameter.name],
      ...place,
    }));
    const type = {
      kind: 'named' as const,
      path: [own.name],
      ...place,
      ...(parameters.length > 0 && { arguments: parameters }),
    };
    const variant: ClassCode = {
      name: lowering.textOf(name),
      ...place,
      form: 'struct',
      ...types,
      supertypes: [{ relation: 'extends', type }],
      members: content ? fields(content, inner) : [],
    };
    return [{ kind: 'class', class: variant }];
  });
  return { ...own, form: 'enum', ...types, members: variants };
}

function trait(node: SyntaxNode, context: Context): ClassCode {
  const { inner, types } = generic(node, context);
  const own = naming(node, context);
  const bounds = child(node, 'bounds');
  const supertypes = bounds ? boundsOf(bounds, inner) : [];
  const body = child(node, 'body');
  return {
    ...own,
    form: 'trait',
    ...types,
    ...(supertypes.length > 0 && { supertypes: supertypes.map((type) => ({ relation: 'extends', type })) }),
    members: body ? members(body, ofAnyType(inner, child(node, 'name') ?? node), isPublic(node)) : [],
  };
}

/** In a trait, `Self` is a type parameter. */
function ofAnyType(context: Context, self: SyntaxNode): Context {
  return { ...context, self, typeParameters: new Set([...context.typeParameters, 'Self']) };
}

function ofOneType(context: Context): Context {
  const others = [...context.typeParameters].filter((name) => name !== 'Self');
  return { ...context, typeParameters: new Set(others) };
}

function implementation(node: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const { inner, types } = generic(node, ofOneType(context));
  const [type, of, body] = [child(node, 'type'), child(node, 'trait'), child(node, 'body')];
  if (!type) return [];
  const parameters = types.types;
  return [
    {
      kind: 'implement',
      ...lowering.at(type),
      type: typeOf(type, inner),
      ...(of && { trait: typeOf(of, inner) }),
      ...(parameters && { parameters }),
      members: body ? members(body, { ...inner, self: type }, of !== undefined) : [],
    },
  ];
}

/** Members of a trait or an `impl`. `visible`: without a modifier of their own. */
function members(body: SyntaxNode, context: Context, visible: boolean): Statement[] {
  return named(body).flatMap((each) =>
    item(each, context).map((member): Statement => {
      if (member.kind === 'declare') return { ...member, static: true };
      if (member.kind !== 'function') return member;
      const { receiver, symbol } = member.function;
      if (visible) context.lowering.define(symbol, { exported: true });
      return receiver ? member : { kind: 'function', function: { ...member.function, static: true } };
    }),
  );
}

function declared(code: FunctionCode, node: SyntaxNode, { lowering }: Context): FunctionCode {
  const start = code.symbol === undefined ? node.start : (lowering.symbols[code.symbol]?.start ?? node.start);
  // Attributes come before the item, as siblings; the range of the symbol has them.
  const attributes = lowering.text.slice(start, node.start).matchAll(/(?:^|\])[ \t]*#\[\s*([\w:]+)/gm);
  const test = [...attributes].some(([, name = '']) => TEST.test(name));
  lowering.define(code.symbol, { exported: isPublic(node), test });
  return code;
}

function constant(node: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const [name, type, value] = [child(node, 'name'), child(node, 'type'), child(node, 'value')];
  if (!name) return [];
  const { symbol } = lowering.symbolAt(name);
  lowering.define(symbol, { exported: isPublic(node) });
  return [
    {
      kind: 'declare',
      name: lowering.textOf(name),
      ...lowering.at(name),
      ...(type && { type: typeOf(type, context) }),
      ...(value && { value: context.expression(value, context) }),
      ...(symbol !== undefined && { symbol }),
    },
  ];
}

/** `type A<T> = B`, and the associated types of traits. */
function alias(node: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const name = child(node, 'name');
  if (!name) return [];
  const { inner, types } = generic(node, context);
  const [type, bounds] = [child(node, 'type'), child(node, 'bounds')];
  const [bound] = bounds ? boundsOf(bounds, inner) : [];
  const { symbol } = lowering.symbolAt(name);
  lowering.define(symbol, { exported: isPublic(node) });
  return [
    {
      kind: 'alias',
      name: lowering.textOf(name),
      ...lowering.at(name),
      ...(types.types && { parameters: types.types }),
      type: type ? typeOf(type, inner) : (bound ?? { kind: 'other' }),
      ...(symbol !== undefined && { symbol }),
    },
  ];
}

/** `macro_rules! name`, as a function `name!`. */
function macro(node: SyntaxNode, context: Context): Statement[] {
  const { lowering } = context;
  const name = child(node, 'name');
  if (!name) return [];
  const body = named(node)
    .filter(({ type }) => type === 'macro_rule')
    .flatMap((rule): Statement[] => {
      const right = child(rule, 'right');
      const values = right ? tokenArguments(right, context) : [];
      // A rule that is one expression gives its value.
      const kind = values.length === 1 ? 'return' : 'evaluate';
      return values.map((value) => ({ kind, value }));
    });
  const code: FunctionCode = {
    ...lowering.at(name),
    ...lowering.symbolAt(name),
    name: `${lowering.textOf(name)}!`,
    parameters: [],
    body,
  };
  return [{ kind: 'function', function: declared(code, node, context) }];
}
