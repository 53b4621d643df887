import type { Declare, Expression, Statement, Type } from '../../../code.js';
import { child, childrenIn, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { pathValue } from '../values.js';
import { friendsOf } from './classes.js';
import type { Unit } from './context.js';
import { declaredBy, parametersOf, type Declared } from './declarators.js';
import { isStatic } from './functions.js';
import { lastName, nameOf, pathOf } from './names.js';
import { isPrimitive } from './primitives.js';

const CLASSES = new Set(['struct_specifier', 'union_specifier', 'class_specifier', 'enum_specifier']);

/** The classes that a type specifier defines on its way: `struct node { … } *first;`. */
function definedTypes(unit: Unit, specifier: SyntaxNode | undefined): Statement[] {
  if (!specifier || !CLASSES.has(specifier.type) || !child(specifier, 'body') || !child(specifier, 'name'))
    return [];
  return [{ kind: 'class', class: unit.class(specifier) }, ...friendsOf(unit, specifier)];
}

/** Variables, fields and prototypes. */
export function declarationOf(unit: Unit, node: SyntaxNode): Statement[] {
  const specifier = child(node, 'type');
  const declarators = childrenIn(node, 'declarator');
  const type = unit.type(specifier);
  const embedded = declarators.length === 0 && specifier && node.type === 'field_declaration';
  return [
    ...definedTypes(unit, specifier),
    ...(embedded && type?.kind === 'object' ? [embeddedField(unit, node, type)] : []),
    ...declarators.flatMap((each) => declared(unit, node, each, type)),
  ];
}

/** `union { int a; };` lends its members to the struct around it. */
function embeddedField(unit: Unit, node: SyntaxNode, type: Type): Declare {
  return { kind: 'declare', ...unit.lowering.at(node), name: '', type, embedded: true };
}

function declared(unit: Unit, node: SyntaxNode, declarator: SyntaxNode, base: Type | undefined): Statement[] {
  const found = declaredBy(unit, declarator, base);
  const { name } = found;
  if (!name) return [];
  const given = child(declarator, 'value') ?? child(node, 'default_value') ?? child(node, 'value');
  const isFunction = found.function ? !(unit.local === true && isVexing(found.function)) : isConversion(name);
  if (isFunction) {
    const code = unit.function(node, declarator);
    return code ? [{ kind: 'function', function: code }] : [];
  }
  const type = found.type;
  if (name.type === 'structured_binding_declarator') {
    const items = named(name).map((each) => unit.expression(each));
    const value = given && unit.expression(given);
    return value ? [{ kind: 'assign', target: { kind: 'tuple', items }, value, declares: true }] : [];
  }
  const { symbol } = unit.lowering.symbolAt(name);
  const isField = node.type === 'field_declaration';
  unit.lowering.define(symbol, { exported: unit.hidden !== true && !isStatic(unit, node) });
  const isExtern = node.children.some(
    (each) => each.type === 'storage_class_specifier' && unit.lowering.textOf(each) === 'extern',
  );
  const value = initialValue(unit, found, given, type, !isField && !isExtern);
  const path = pathOf(unit, name);
  if (path.length > 1) return value ? [{ kind: 'assign', target: nameOf(unit, name), value }] : [];
  const made =
    value?.kind === 'function' && symbol !== undefined
      ? { ...value, function: { ...value.function, symbol } }
      : value;
  return [
    {
      kind: 'declare',
      ...unit.lowering.at(lastName(name)),
      name: path[0] ?? '',
      ...(type && { type }),
      ...(made && { value: made }),
      ...(symbol !== undefined && made?.kind !== 'function' && { symbol }),
      ...(isField && isStatic(unit, node) && { static: true }),
      ...(!isField &&
        unit.local !== true &&
        (unit.hidden === true || isStatic(unit, node)) && { internal: true }),
      ...(isExtern && !given && { prototype: true }),
    },
  ];
}

/** `operator bool() const;` */
function isConversion(name: SyntaxNode): boolean {
  return lastName(name).type === 'operator_cast';
}

/** `Foo a(b);` in a function constructs, although it reads like a prototype. */
function isVexing(declarator: SyntaxNode): boolean {
  const parameters = named(child(declarator, 'parameters') ?? NO_NODE);
  return (
    parameters.length > 0 &&
    parameters.every((each) => child(each, 'type')?.type === 'type_identifier' && !child(each, 'declarator'))
  );
}

/** The value of a variable: its initializer, or the object that its declaration constructs. */
function initialValue(
  unit: Unit,
  { name = NO_NODE, function: vexing }: Declared,
  given: SyntaxNode | undefined,
  type: Type | undefined,
  constructsAlone: boolean,
): Expression | undefined {
  const parts = unit.cpp && type?.kind === 'named' && !isPrimitive(type) ? type : undefined;
  const isList = given?.type === 'argument_list' || given?.type === 'initializer_list';
  if (vexing && parts) {
    const values = parametersOf(unit, child(vexing, 'parameters')).flatMap((each) =>
      each.type?.kind === 'named' ? [{ value: pathValue(each.type.path, unit.lowering.at(name)) }] : [],
    );
    return {
      kind: 'call',
      ...unit.lowering.at(name),
      callee: pathValue(parts.path, unit.lowering.at(name)),
      arguments: values,
      constructs: true,
    };
  }
  if (given && !(isList && parts)) {
    if (given.type === 'argument_list') return unit.arguments(given)[0]?.value;
    return literalOf(unit, given, type);
  }
  if (!parts || (!given && (!constructsAlone || isPlain(parts.path)))) return undefined;
  return {
    kind: 'call',
    ...unit.lowering.at(name),
    callee: pathValue(parts.path, unit.lowering.at(name)),
    arguments: unit.arguments(given),
    constructs: true,
    ...(parts.arguments && { types: parts.arguments }),
  };
}

/** An initializer with the type of its variable: the fields of a struct, or the elements of an array. */
function literalOf(unit: Unit, node: SyntaxNode, type: Type | undefined): Expression {
  if (node.type !== 'initializer_list') return unit.expression(node);
  if (type?.kind === 'list') {
    const items = named(node).map((each) => (each.type === 'initializer_pair' ? child(each, 'value') : each));
    return { kind: 'list', items: items.map((each) => literalOf(unit, each ?? NO_NODE, type.of)) };
  }
  if (type?.kind !== 'named') {
    const value = unit.expression(node);
    return type ? { kind: 'cast', value, type } : value;
  }
  const at = unit.lowering.at(node);
  const callee = pathValue(type.path, at);
  const made = { kind: 'call', ...at, callee, arguments: unit.arguments(node), constructs: true } as const;
  return unit.cpp ? made : { ...made, fields: true };
}

/** Types whose variables construct nothing of interest: `size_t n;`, `std::string s;`. */
function isPlain(path: readonly string[]): boolean {
  return path[0] === 'std' || path.at(-1)?.endsWith('_t') === true;
}

/** `typedef struct { … } a, *b;` */
export function typedefOf(unit: Unit, node: SyntaxNode): Statement[] {
  const specifier = child(node, 'type');
  const declarators = childrenIn(node, 'declarator');
  const isBody =
    specifier && CLASSES.has(specifier.type) && child(specifier, 'body') && !child(specifier, 'name');
  const alias = isBody ? declarators.find(({ type }) => type === 'type_identifier') : undefined;
  const named_ = alias && specifier ? unit.class(specifier, alias) : undefined;
  const base: Type | undefined = alias
    ? { kind: 'named', ...unit.lowering.at(alias), path: [unit.lowering.textOf(alias)] }
    : unit.type(specifier);
  return [
    ...(named_ ? [{ kind: 'class', class: named_ } as const] : definedTypes(unit, specifier)),
    ...declarators.flatMap((each): Statement[] => {
      const { name, type, function: callable } = declaredBy(unit, each, base);
      if (!name || each === alias) return [];
      const text = unit.lowering.textOf(name);
      if (type?.kind === 'named' && type.path.length === 1 && type.path[0] === text) return [];
      const { symbol } = unit.lowering.symbolAt(name);
      unit.lowering.define(symbol, { exported: unit.hidden !== true });
      const parameters = callable
        ? parametersOf(unit, child(callable, 'parameters')).map((p): Type => p.type ?? { kind: 'other' })
        : [];
      const whole: Type | undefined = callable
        ? { kind: 'function', parameters, ...(type && { returns: type }) }
        : type;
      return [
        {
          kind: 'alias',
          ...unit.lowering.at(name),
          name: text,
          type: whole ?? { kind: 'other' },
          ...(symbol !== undefined && { symbol }),
        },
      ];
    }),
  ];
}
