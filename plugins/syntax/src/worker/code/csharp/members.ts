import type { Expression, FunctionCode, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { argumentsOf, withExpectedType } from './creations.js';
import { describe, hasModifier } from './definitions.js';
import { parametersOf } from './parameters.js';
import { variables } from './statements.js';
import { optionalType, typeOf, typeParameters } from './types.js';

/** A member of a type or a function in a function. Undefined for other nodes. */
export function memberOf(node: SyntaxNode, file: CSharpFile): readonly Statement[] | undefined {
  switch (node.type) {
    case 'method_declaration':
    case 'local_function_statement':
      return [functionStatement(method(node, file))];
    case 'constructor_declaration':
      return [functionStatement(constructor(node, file))];
    case 'destructor_declaration':
      return [
        functionStatement({ ...method(node, file), ...file.lowering.symbolAt(node), name: 'Finalize' }),
      ];
    case 'operator_declaration':
    case 'conversion_operator_declaration':
      return [functionStatement(operator(node, file))];
    case 'property_declaration':
    case 'indexer_declaration':
    case 'event_declaration':
      return property(node, file);
    case 'field_declaration':
    case 'event_field_declaration':
      return fields(node, file);
    default:
      return undefined;
  }
}

function functionStatement(code: FunctionCode): Statement {
  return { kind: 'function', function: code };
}

function bodyOf(node: SyntaxNode, file: CSharpFile): { readonly body?: Statement[] } {
  const body = child(node, 'body');
  return body ? { body: file.body(body) } : {};
}

function method(node: SyntaxNode, file: CSharpFile): FunctionCode {
  const { lowering } = file;
  const name = child(node, 'name');
  const symbol = name ? lowering.symbolAt(name) : {};
  const { type } = optionalType(child(node, 'returns') ?? child(node, 'type'), lowering);
  file.results.push(child(node, 'returns') ?? child(node, 'type'));
  const body = bodyOf(node, file);
  file.results.pop();
  const specifier = ofType(node, 'explicit_interface_specifier');
  const [explicit] = specifier ? named(specifier) : [];
  return {
    ...symbol,
    ...(name && { name: nameText(name, lowering) }),
    ...parametersOf(child(node, 'parameters'), file),
    ...(type && { returns: type }),
    ...typeParameters(node, lowering),
    ...body,
    ...(hasModifier(node, 'async', lowering) && { async: true }),
    ...(body.body && yields(node) && { generator: true }),
    ...(hasModifier(node, 'static', lowering) && { static: true }),
    ...(explicit && { explicit: typeOf(explicit, lowering) }),
    ...describe(node, symbol.symbol, file),
    ...lowering.at(name ?? node),
  };
}

/** A `yield` in a function, not in functions in it. */
function yields(node: SyntaxNode): boolean {
  return node.children.some(
    (each) =>
      each.type === 'yield_statement' ||
      (each.children.length > 0 &&
        !['lambda_expression', 'local_function_statement', 'anonymous_method_expression'].includes(
          each.type,
        ) &&
        yields(each)),
  );
}

/** A static constructor runs by itself: no construction calls it. */
function constructor(node: SyntaxNode, file: CSharpFile): FunctionCode {
  const { lowering } = file;
  const base = method(node, file);
  if (base.static) return { ...base, name: 'static constructor' };
  const initializer = ofType(node, 'constructor_initializer');
  const other = initializer && ofType(initializer, 'base', 'this');
  const list = initializer && ofType(initializer, 'argument_list');
  const call: Statement[] = other ? [constructorCall(other, list, file)] : [];
  return { ...base, constructor_: true, body: [...call, ...(base.body ?? [])], ...lowering.at(node) };
}

/** `base(…)`, `this(…)`. `node`: the keyword, or the supertype that a primary constructor names. */
export function constructorCall(node: SyntaxNode, list: SyntaxNode | undefined, file: CSharpFile): Statement {
  const callee: Expression = node.type === 'this' ? { kind: 'this' } : { kind: 'super' };
  const at = file.lowering.at(node);
  return {
    kind: 'evaluate',
    value: { kind: 'call', callee, constructs: true, arguments: argumentsOf(list, file), ...at },
  };
}

function operator(node: SyntaxNode, file: CSharpFile): FunctionCode {
  const { lowering } = file;
  const sign = child(node, 'operator');
  const type = child(node, 'type');
  const symbol = lowering.symbolAt(sign ?? type ?? node);
  return {
    ...method(node, file),
    ...symbol,
    name: `operator ${lowering.textOf(sign ?? type ?? node)}`,
    ...describe(node, symbol.symbol, file),
  };
}

/** A property without bodies is a field; one with bodies a pair of accessors. */
function property(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const nameNode = child(node, 'name');
  const name = nameNode ? nameText(nameNode, lowering) : 'this[]';
  const symbol = lowering.symbolAt(nameNode ?? node);
  const { type } = optionalType(child(node, 'type'), lowering);
  const common = {
    ...symbol,
    name,
    ...describe(node, symbol.symbol, file),
    ...(hasModifier(node, 'static', lowering) && { static: true as const }),
    ...lowering.at(nameNode ?? node),
  };
  const keys = parametersOf(child(node, 'parameters'), file).parameters;
  const value = child(node, 'value');
  const accessor = (kind: 'get' | 'set', body: Statement[]): Statement => {
    const given: Expression = { kind: 'name', name: 'value', ...lowering.at(node) };
    const parameters = kind === 'get' ? keys : [...keys, { target: given, ...(type && { type }) }];
    return functionStatement({
      ...common,
      parameters,
      ...(kind === 'get' && type && { returns: type }),
      body,
      ...(nameNode && { accessor: kind }),
    });
  };
  if (value?.type === 'arrow_expression_clause') return [accessor('get', file.body(value))];
  const list = child(node, 'accessors');
  const bodies = (list ? named(list) : []).flatMap((each) => {
    const body = child(each, 'body');
    const kind = ofType(each, 'get') ? ('get' as const) : ('set' as const);
    return body ? [accessor(kind, file.body(body))] : [];
  });
  if (bodies.length > 0 || !nameNode) return bodies;
  const initial = value && withExpectedType(file.expression(value), value, child(node, 'type'), file);
  const { decorators: _, ...field } = common;
  return [{ kind: 'declare', ...field, ...(type && { type }), ...(initial && { value: initial }) }];
}

function fields(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const declaration = ofType(node, 'variable_declaration');
  const isStatic = hasModifier(node, 'static', lowering) || hasModifier(node, 'const', lowering);
  if (!declaration) return [];
  return variables(declaration, file, (name) => {
    const { symbol } = lowering.symbolAt(name);
    describe(node, symbol, file);
    return { ...(symbol !== undefined && { symbol }), ...(isStatic && { static: true }) };
  });
}

/** `delegate A B(C c)`: a name for a type of functions. */
export function delegate(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const name = child(node, 'name');
  const returns = child(node, 'type');
  if (!name) return [];
  const { symbol } = lowering.symbolAt(name);
  describe(node, symbol, file);
  const { types } = typeParameters(node, lowering);
  const { parameters } = parametersOf(child(node, 'parameters'), file);
  return [
    {
      kind: 'alias',
      name: nameText(name, lowering),
      ...(symbol !== undefined && { symbol }),
      ...(types && { parameters: types }),
      type: {
        kind: 'function',
        parameters: parameters.map(({ type }) => type ?? { kind: 'other' }),
        ...(returns && { returns: typeOf(returns, lowering) }),
      },
      ...lowering.at(name),
    },
  ];
}

/** Constants of an enum. */
export function enumConstants(body: SyntaxNode, type: string, file: CSharpFile): Statement[] {
  const { lowering } = file;
  return parts(body).flatMap((each): Statement[] => {
    const name = child(each, 'name');
    if (each.type !== 'enum_member_declaration' || !name) return [];
    const at = lowering.at(name);
    const value = child(each, 'value');
    return [
      {
        kind: 'declare',
        name: nameText(name, lowering),
        type: { kind: 'named', path: [type], ...at },
        ...(value && { value: file.expression(value) }),
        static: true,
        ...at,
      },
    ];
  });
}
