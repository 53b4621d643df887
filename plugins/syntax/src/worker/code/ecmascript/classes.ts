import type { ClassCode, Declare, Expression, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { annotation, typeArguments, typeNamedBy, typeParameters } from './annotations.js';
import { hasToken, propertyName, type Context } from './context.js';
import { decoratorsOf, functionCode } from './functions.js';
import { indexSignature, typeMembers } from './types.js';

/** A class declaration or expression. `symbolNode`: the name that its symbol starts with. */
export function classCode(
  node: SyntaxNode,
  context: Context,
  symbolNode: SyntaxNode | undefined = child(node, 'name'),
  outer: readonly Expression[] = [],
): ClassCode {
  const { lowering } = context;
  const own = child(node, 'name');
  const body = child(node, 'body');
  const supertypes = supertypesOf(node, context);
  const decorators = [...outer, ...decoratorsOf(node.children, context)];
  return {
    ...(own && { name: lowering.textOf(own) }),
    ...(symbolNode && lowering.symbolAt(symbolNode)),
    form: 'class',
    ...typeParameters(node, context),
    ...(supertypes.length > 0 && { supertypes }),
    members: body ? members(body, context) : [],
    ...(decorators.length > 0 && { decorators }),
    ...lowering.at(symbolNode ?? node),
  };
}

export function interfaceCode(node: SyntaxNode, context: Context): ClassCode {
  const body = child(node, 'body');
  const extended = ofType(node, 'extends_type_clause');
  return {
    ...nameOf(node, context),
    form: 'interface',
    ...typeParameters(node, context),
    ...(extended && {
      supertypes: named(extended).map((type) => ({ relation: 'extends' as const, type: context.type(type) })),
    }),
    members: body ? typeMembers(body, context) : [],
  };
}

export function enumCode(node: SyntaxNode, context: Context): ClassCode {
  const body = child(node, 'body');
  const members = (body ? named(body) : []).map((each): Declare => {
    const key = child(each, 'name') ?? each;
    const value = child(each, 'value');
    return {
      kind: 'declare',
      name: propertyName(key, context),
      ...(value && { value: context.expression(value) }),
      static: true,
      ...context.lowering.at(key),
    };
  });
  return { ...nameOf(node, context), form: 'enum', members };
}

/** `namespace A.B {}` is a namespace in a namespace: the inner one is the symbol. */
export function namespaceCode(node: SyntaxNode, context: Context): ClassCode {
  const { lowering } = context;
  const name = child(node, 'name');
  const body = child(node, 'body');
  const text = name ? propertyName(name, context) : '';
  const parts = name?.type === 'string' ? [text] : text.split('.');
  const at = lowering.at(name ?? node);
  const innermost: ClassCode = {
    name: parts.at(-1) ?? '',
    ...(name && lowering.symbolAt(name)),
    form: 'namespace',
    // Its exports are its members, not those of the file.
    members: body ? context.statements(named(body)).filter(({ kind }) => kind !== 'export') : [],
    ...at,
  };
  return parts
    .slice(0, -1)
    .reduceRight<ClassCode>(
      (inner, part) => ({ name: part, form: 'namespace', members: [{ kind: 'class', class: inner }], ...at }),
      innermost,
    );
}

function nameOf(
  node: SyntaxNode,
  { lowering }: Context,
): Pick<ClassCode, 'name' | 'symbol' | 'start' | 'line'> {
  const name = child(node, 'name');
  return {
    ...(name && { name: lowering.textOf(name), ...lowering.symbolAt(name) }),
    ...lowering.at(name ?? node),
  };
}

function supertypesOf(node: SyntaxNode, context: Context): NonNullable<ClassCode['supertypes']> {
  const heritage = ofType(node, 'class_heritage');
  if (!heritage) return [];
  const clause = ofType(heritage, 'extends_clause');
  const written = clause
    ? child(clause, 'value')
    : named(heritage).find(({ type }) => !type.endsWith('_clause'));
  const implemented = ofType(heritage, 'implements_clause');
  return [
    ...(written ? [extended(context.expression(written), clause && typeArguments(clause, context))] : []),
    ...(implemented ? named(implemented) : []).map((type) => ({
      relation: 'implements' as const,
      type: context.type(type),
    })),
  ];
}

function extended(
  value: Expression,
  types: ReturnType<typeof typeArguments>,
): NonNullable<ClassCode['supertypes']>[number] {
  const type = typeNamedBy(value, types);
  return { relation: 'extends', type, ...(type.kind !== 'named' && { value }) };
}

function members(body: SyntaxNode, context: Context): Statement[] {
  const found: Statement[] = [];
  let decorators: Expression[] = [];
  for (const each of named(body)) {
    if (each.type === 'decorator') {
      decorators.push(...decoratorsOf([each], context));
      continue;
    }
    found.push(...member(each, context, decorators));
    decorators = [];
  }
  return found;
}

function member(node: SyntaxNode, context: Context, before: readonly Expression[]): Statement[] {
  switch (node.type) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature': {
      const decorators = [...before, ...decoratorsOf(node.children, context)];
      return [{ kind: 'function', function: functionCode(node, context, child(node, 'name'), decorators) }];
    }
    case 'public_field_definition':
    case 'field_definition':
      return field(node, context, before);
    case 'index_signature':
      return [indexSignature(node, context)];
    case 'class_static_block': {
      const body = child(node, 'body');
      return body ? [{ kind: 'block', body: context.statements(named(body)) }] : [];
    }
    default:
      return node.type === 'ERROR' ? context.statement(node) : [];
  }
}

function field(node: SyntaxNode, context: Context, before: readonly Expression[]): Statement[] {
  const { lowering } = context;
  const key = child(node, 'name') ?? child(node, 'property') ?? node;
  const value = child(node, 'value');
  const decorators = [...before, ...decoratorsOf(node.children, context)];
  return [
    ...decorators.map((each): Statement => ({ kind: 'evaluate', value: each })),
    {
      kind: 'declare',
      name: propertyName(key, context),
      ...annotation(node, context),
      ...(value && { value: context.value(value, key) }),
      ...lowering.symbolAt(key),
      ...(hasToken(node, 'static') && { static: true as const }),
      ...lowering.at(key),
    },
  ];
}
