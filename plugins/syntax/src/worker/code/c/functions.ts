import type { Expression, FunctionCode, Parameter, Statement, Type } from '../../../code.js';
import { child, named, ofType, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Unit } from './context.js';
import { declaredBy, parametersOf } from './declarators.js';
import { argumentsOfName, lastName, nameOf, pathOf } from './names.js';

/** A definition or prototype. Undefined where the declarator declares no function. */
export function functionOf(
  unit: Unit,
  node: SyntaxNode,
  declarator = child(node, 'declarator'),
): FunctionCode | undefined {
  const { lowering } = unit;
  const conversion = declarator && conversionOf(declarator);
  const declared = declaredBy(unit, declarator, unit.type(child(conversion ?? node, 'type')));
  const name = conversion ? declarator : declared.name;
  if (!name || !(declared.function ?? conversion)) return undefined;
  const path = pathOf(unit, name);
  const last = path.at(-1) ?? '';
  const outer = path.length > 1 ? path.at(-2) : unit.className;
  const constructs = outer === last && !child(node, 'type');
  const { symbol } = lowering.symbolAt(name);
  const isTest = isGoogleTest(last, node);
  const fixture = isTest ? fixtureOf(unit, last, declared.function) : undefined;
  const hidden = unit.hidden === true || (unit.className === undefined && isStatic(unit, node));
  lowering.define(symbol, { exported: !hidden, test: isTest || (!unit.cpp && last.startsWith('test_')) });
  const inner = unit.within({ local: true, ...(outer !== undefined && { className: outer }) });
  const body = bodyOf(inner, node);
  const parameters = declared.function ? parametersOf(unit, child(declared.function, 'parameters')) : [];
  return {
    ...lowering.at(lastName(name)),
    ...(symbol !== undefined && { symbol }),
    ...(!isTest && { name: last }),
    parameters: isTest ? [] : withLateTypes(unit, node, parameters),
    ...(declared.type && !constructs && { returns: declared.type }),
    ...(body && { body }),
    ...(path.length > 1 && { owner: ownerOf(unit, name, path.slice(0, -1)) }),
    ...(fixture && { owner: fixture }),
    ...(constructs && { constructor_: true }),
    ...(declared.function && isConstant(unit, declared.function) && { constant: true }),
    ...(unit.className !== undefined && isStatic(unit, node) && { static: true }),
    ...(unit.className === undefined && hidden && { internal: true }),
  };
}

/** `int size() const` */
function isConstant(unit: Unit, declarator: SyntaxNode): boolean {
  return declarator.children.some(
    (each) => each.type === 'type_qualifier' && unit.lowering.textOf(each) === 'const',
  );
}

/** `operator bool() const`, in a class or qualified. */
function conversionOf(node: SyntaxNode): SyntaxNode | undefined {
  const last = lastName(node);
  return last.type === 'operator_cast' ? last : undefined;
}

export function ownerOf(unit: Unit, name: SyntaxNode, path: readonly string[]): Type {
  let scope: SyntaxNode | undefined = name;
  let innermost: SyntaxNode = name;
  while (scope?.type === 'qualified_identifier') {
    innermost = child(scope, 'scope') ?? innermost;
    scope = child(scope, 'name');
  }
  const given = argumentsOfName(innermost).map((each) => unit.type(each) ?? { kind: 'other' as const });
  return { kind: 'named', ...unit.lowering.at(name), path, ...(given.length > 0 && { arguments: given }) };
}

/** `TEST(Store, Saves) { … }`: a test without a name that a call could use. */
function isGoogleTest(name: string, node: SyntaxNode): boolean {
  return (
    node.type === 'function_definition' && !child(node, 'type') && /^(?:TYPED_)?TEST(?:_F|_P)?$/.test(name)
  );
}

/** The class whose members a test of a fixture sees: `TEST_F(Store, Saves)`. */
function fixtureOf(unit: Unit, macro: string, declarator: SyntaxNode | undefined): Type | undefined {
  const [first] = macro === 'TEST' ? [] : named(child(declarator ?? NO_NODE, 'parameters') ?? NO_NODE);
  return first && unit.type(child(first, 'type'));
}

export function isStatic(unit: Unit, node: SyntaxNode): boolean {
  return node.children.some(
    (each) => each.type === 'storage_class_specifier' && unit.lowering.textOf(each) === 'static',
  );
}

/** The statements of a body, after the initializers of a constructor. */
function bodyOf(unit: Unit, node: SyntaxNode): Statement[] | undefined {
  const body = child(node, 'body') ?? ofType(node, 'try_statement', 'default_method_clause');
  if (!body) return undefined;
  const declarator = child(node, 'declarator');
  const list = [node, declarator ?? node].flatMap((each) => ofType(each, 'field_initializer_list') ?? []);
  return [
    ...list.flatMap((each) => named(each).flatMap((initializer) => initialized(unit, initializer))),
    ...unit.statements(body),
  ];
}

/** `Base(a)` and `engine_(4)` construct; a single value is also assigned. */
function initialized(unit: Unit, node: SyntaxNode): Statement[] {
  const [name, values] = named(node);
  if (!name) return [];
  const callee = nameOf(unit, name);
  const args = unit.arguments(values);
  const [only] = args;
  const made: Expression = {
    kind: 'call',
    ...unit.lowering.at(name),
    callee,
    arguments: args,
    constructs: true,
    // A field of a plain type constructs nothing.
    implicit: true,
  };
  const assigns = only && args.length === 1 && name.type === 'field_identifier';
  return [
    { kind: 'evaluate', value: made },
    ...(assigns ? [{ kind: 'assign', target: callee, value: only.value } as const] : []),
  ];
}

/** `int f(a, b) int a; char *b; { … }`: types that follow the list of names. */
function withLateTypes(unit: Unit, node: SyntaxNode, parameters: readonly Parameter[]): Parameter[] {
  const late = new Map<string, Type>();
  for (const each of node.children.filter(({ type, field }) => type === 'declaration' && field === null)) {
    for (const declarator of each.children.filter(({ field }) => field === 'declarator')) {
      const { name, type } = declaredBy(unit, declarator, unit.type(child(each, 'type')));
      if (name && type) late.set(unit.lowering.textOf(name), type);
    }
  }
  return parameters.map((each) => {
    const type = each.target.kind === 'name' ? late.get(each.target.name) : undefined;
    return type ? { ...each, type } : each;
  });
}

/** `[a, b = f()](int c) -> T { … }` */
export function lambdaOf(unit: Unit, node: SyntaxNode): FunctionCode {
  const declarator = child(node, 'declarator');
  const trailing = declarator && ofType(declarator, 'trailing_return_type');
  const returns = trailing && unit.type(named(trailing)[0]);
  const captured = named(child(node, 'captures') ?? NO_NODE).filter(
    ({ type }) => type === 'lambda_capture_initializer',
  );
  const inner = unit.within({ local: true });
  return {
    ...unit.lowering.at(node),
    parameters: parametersOf(unit, declarator && child(declarator, 'parameters')),
    ...(returns && { returns }),
    body: [
      ...captured.flatMap((each): Statement[] => {
        const [left, right] = [child(each, 'left'), child(each, 'right')];
        if (!left || !right) return [];
        const at = unit.lowering.at(left);
        return [{ kind: 'declare', ...at, name: unit.lowering.textOf(left), value: unit.expression(right) }];
      }),
      ...inner.statements(child(node, 'body') ?? NO_NODE),
    ],
  };
}
