import type {
  ClassCode,
  Expression,
  FunctionCode,
  NamedType,
  Parameter,
  Statement,
  Type,
} from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { annotationNodes, annotationsOf, annotationsOfFields } from './annotations.js';
import type { JavaFile } from './context.js';
import { argumentsOf } from './creations.js';
import { parametersOf } from './parameters.js';
import { variables } from './statements.js';
import { optionalType, typeOf, typeParameters, withDimensions } from './types.js';

const FORMS: Readonly<Record<string, ClassCode['form']>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
};

/** A class, member or constant. Undefined for other nodes. */
export function declarationOf(node: SyntaxNode, file: JavaFile): readonly Statement[] | undefined {
  if (FORMS[node.type]) return [{ kind: 'class', class: classOf(node, file) }];
  switch (node.type) {
    case 'method_declaration':
    case 'constructor_declaration':
    case 'annotation_type_element_declaration':
      return [{ kind: 'function', function: functionOf(node, file) }];
    case 'field_declaration':
      return fields(node, file, hasModifier(node, 'static'));
    case 'constant_declaration':
      return fields(node, file, true);
    case 'enum_constant':
      return [];
    case 'enum_body_declarations':
      return file.statements(named(node));
    default:
      return undefined;
  }
}

function hasModifier(node: SyntaxNode, modifier: string): boolean {
  return ofType(node, 'modifiers')?.children.some((each) => each.type === modifier) ?? false;
}

const TESTS = /^(?:.*\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)$/;

/** Annotations, and whether the declaration is visible to other files and is a test. */
function describe(
  node: SyntaxNode,
  symbol: number | undefined,
  file: JavaFile,
): { decorators?: Expression[] } {
  const { lowering } = file;
  const names = annotationNodes(node).flatMap((each) => child(each, 'name') ?? []);
  const parent = symbol === undefined ? null : (lowering.symbols[symbol]?.parent ?? null);
  const container = parent === null ? undefined : lowering.symbols[parent];
  const visible = parent === null || ['class', 'interface', 'enum'].includes(container?.kind ?? '');
  lowering.define(symbol, {
    exported:
      visible &&
      !hasModifier(node, 'private') &&
      (parent === null || lowering.definitions[parent]?.exported === true),
    test: names.some((name) => TESTS.test(lowering.textOf(name))),
  });
  const decorators = annotationsOf(node, file);
  return decorators.length > 0 ? { decorators } : {};
}

function classOf(node: SyntaxNode, file: JavaFile): ClassCode {
  const { lowering } = file;
  const name = child(node, 'name');
  const symbol = name ? lowering.symbolAt(name) : {};
  const form = FORMS[node.type] ?? 'class';
  const { decorators: own = [] } = describe(node, symbol.symbol, file);
  const body = child(node, 'body');
  const decorators = [...own, ...(body ? annotationsOfFields(body, file) : [])];
  const types = typeParameters(child(node, 'type_parameters'), lowering);
  const components = node.type === 'record_declaration' ? parametersIn(node, file) : [];
  const self: NamedType | undefined = name && {
    kind: 'named',
    path: [lowering.textOf(name)],
    ...lowering.at(name),
  };
  const constants = body && self ? named(body).filter((each) => each.type === 'enum_constant') : [];
  const members = [
    ...recordMembers(components, body, node, file),
    ...constants.flatMap((each) => (self ? enumConstant(each, self, file) : [])),
    ...(body ? membersOf(body, components, file) : []),
    ...(form === 'enum' && self ? enumMembers(self) : []),
  ];
  return {
    ...symbol,
    ...(name && { name: lowering.textOf(name) }),
    form,
    ...types,
    ...supertypes(node, file),
    members,
    ...(decorators.length > 0 && { decorators }),
    ...lowering.at(name ?? node),
  };
}

function supertypes(node: SyntaxNode, file: JavaFile): Pick<ClassCode, 'supertypes'> {
  const listed = (part: SyntaxNode | undefined): SyntaxNode[] =>
    part ? named(part).flatMap((each) => (each.type === 'type_list' ? named(each) : [each])) : [];
  const supers = [
    ...listed(ofType(node, 'superclass', 'extends_interfaces')).map((each) => ['extends', each] as const),
    ...listed(ofType(node, 'super_interfaces')).map((each) => ['implements', each] as const),
  ];
  if (supers.length === 0) return {};
  return { supertypes: supers.map(([relation, each]) => ({ relation, type: typeOf(each, file.lowering) })) };
}

function parametersIn(node: SyntaxNode, file: JavaFile): Parameter[] {
  const list = child(node, 'parameters');
  return list ? parametersOf(list, file.lowering) : [];
}

function membersOf(body: SyntaxNode, components: readonly Parameter[], file: JavaFile): Statement[] {
  return named(body).flatMap((each) => {
    if (each.type !== 'compact_constructor_declaration') return file.statement(each);
    const parameters = components.map((component) => ({ ...component, field: true as const }));
    return [{ kind: 'function', function: { ...functionOf(each, file), parameters } }];
  });
}

/** Components are fields, with accessors and a constructor where the record does not declare them. */
function recordMembers(
  components: readonly Parameter[],
  body: SyntaxNode | undefined,
  node: SyntaxNode,
  file: JavaFile,
): Statement[] {
  if (node.type !== 'record_declaration') return [];
  const { lowering } = file;
  const own = body ? named(body) : [];
  const methods = new Set(
    own.flatMap((each) => {
      const name = each.type === 'method_declaration' ? child(each, 'name') : undefined;
      const list = child(each, 'parameters');
      return name && list && named(list).length === 0 ? lowering.textOf(name) : [];
    }),
  );
  const members = components.flatMap((component): Statement[] => {
    if (component.target.kind !== 'name') return [];
    const { name, start, line } = component.target;
    const { type, rest } = component;
    const full = type && (rest ? ({ kind: 'list', of: type } as const) : type);
    const field: Statement = { kind: 'declare', name, start, line, ...(full && { type: full }) };
    const body: Statement[] = [
      { kind: 'return', value: { kind: 'member', object: { kind: 'this' }, name, start, line } },
    ];
    const accessor: FunctionCode = {
      name,
      start,
      line,
      parameters: [],
      body,
      ...(full && { returns: full }),
    };
    return methods.has(name) ? [field] : [field, { kind: 'function', function: accessor }];
  });
  const canonical = own.some(
    (each) =>
      each.type === 'compact_constructor_declaration' ||
      (each.type === 'constructor_declaration' && parametersIn(each, file).length === components.length),
  );
  if (canonical) return members;
  const parameters = components.map((component) => ({ ...component, field: true as const }));
  const constructor: FunctionCode = { constructor_: true, parameters, body: [], ...lowering.at(node) };
  return [...members, { kind: 'function', function: constructor }];
}

/** A constant is a static field that holds a new object; one with a body holds an object of a class of its own. */
function enumConstant(node: SyntaxNode, type: NamedType, file: JavaFile): Statement[] {
  const { lowering } = file;
  const name = child(node, 'name');
  const body = child(node, 'body');
  if (!name) return [];
  const at = lowering.at(name);
  const members = body ? file.statements(named(body)) : [];
  const callee: Expression = body
    ? { kind: 'class', class: { form: 'class', supertypes: [{ relation: 'extends', type }], members, ...at } }
    : { kind: 'name', name: type.path.join('.'), ...at };
  const value: Expression = {
    kind: 'call',
    callee,
    constructs: true,
    arguments: argumentsOf(child(node, 'arguments'), file),
    ...at,
  };
  return [{ kind: 'declare', name: lowering.textOf(name), type, value, static: true, ...at }];
}

/** Members that the language adds to each enum. */
function enumMembers(type: NamedType): Statement[] {
  const { start, line } = type;
  const at = { start, line };
  const member = (name: string, returns: Type, parameters: readonly Parameter[] = []): Statement => ({
    kind: 'function',
    function: {
      name,
      parameters,
      returns,
      body: [],
      ...(name.startsWith('value') && { static: true }),
      ...at,
    },
  });
  const text: Type = { kind: 'named', path: ['String'], ...at };
  const target: Parameter['target'] = { kind: 'name', name: 'name', ...at };
  return [
    member('values', { kind: 'list', of: type }),
    member('valueOf', type, [{ target, type: text }]),
    member('name', text),
    member('ordinal', { kind: 'named', path: ['int'], ...at }),
  ];
}

function functionOf(node: SyntaxNode, file: JavaFile): FunctionCode {
  const { lowering } = file;
  const name = child(node, 'name');
  const body = child(node, 'body');
  const symbol = name ? lowering.symbolAt(name) : {};
  const decorators = describe(node, symbol.symbol, file);
  const { type } = optionalType(child(node, 'type'), lowering);
  const isConstructor = node.type.includes('constructor');
  return {
    ...symbol,
    ...(name && { name: lowering.textOf(name) }),
    parameters: parametersIn(node, file),
    ...(type && { returns: withDimensions(type, child(node, 'dimensions')) }),
    ...typeParameters(child(node, 'type_parameters'), lowering),
    ...(body && { body: file.statements(named(body)) }),
    ...(hasModifier(node, 'static') && { static: true }),
    ...(isConstructor && { constructor_: true }),
    ...decorators,
    ...lowering.at(name ?? node),
  };
}

function fields(node: SyntaxNode, file: JavaFile, isStatic: boolean): Statement[] {
  return variables(node, file, (name) => {
    const { symbol } = file.lowering.symbolAt(name);
    describe(node, symbol, file);
    return { ...(symbol !== undefined && { symbol }), ...(isStatic && { static: true }) };
  });
}
