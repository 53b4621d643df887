import type { Expression, FunctionCode, Parameter, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { annotation, typeParameters } from './annotations.js';
import { hasToken, propertyName, type Context } from './context.js';
import { pattern } from './patterns.js';

/** Members that are called where an object is: `interface Log { (text: string): void; new (name: string): Log }`. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ['call_signature', '@call'],
  ['construct_signature', '@new'],
  ['constructor_type', '@new'],
]);

/** Nodes that are function values. */
export const FUNCTION_VALUES: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'generator_function',
]);

/** A declaration, method, function expression or arrow function. `symbolNode`: the name that its symbol starts with. */
export function functionCode(
  node: SyntaxNode,
  context: Context,
  symbolNode: SyntaxNode | undefined = child(node, 'name'),
  decorators: readonly Expression[] = [],
): FunctionCode {
  const { lowering } = context;
  const own = child(node, 'name');
  const body = child(node, 'body');
  const code = signature(node, context, symbolNode);
  const all = [...decorators, ...parameterDecorators(node, context)];
  return {
    ...code,
    ...(own && { name: propertyName(own, context) }),
    ...(symbolNode && lowering.symbolAt(symbolNode)),
    ...(body && { body: bodyOf(body, context) }),
    ...(all.length > 0 && { decorators: all }),
  };
}

/** A function without its body. */
export function signature(
  node: SyntaxNode,
  context: Context,
  symbolNode: SyntaxNode | undefined = child(node, 'name'),
): FunctionCode {
  const { lowering } = context;
  const own = child(node, 'name');
  const name = own ? propertyName(own, context) : CALLED.get(node.type);
  const { receiver, parameters } = parametersOf(node, context);
  const returns = annotation(node, context, 'return_type').type ?? annotation(node, context).type;
  const constructs = isMethod(node) && name === 'constructor';
  return {
    ...(name !== undefined && { name }),
    ...(symbolNode && lowering.symbolAt(symbolNode)),
    parameters,
    ...(receiver && { receiver }),
    ...(returns && { returns }),
    ...typeParameters(node, context),
    ...(hasToken(node, 'async') && { async: true }),
    ...((hasToken(node, '*') || node.type.startsWith('generator')) && { generator: true }),
    ...(node.type === 'arrow_function' && { arrow: true }),
    ...(hasToken(node, 'static') && { static: true }),
    ...accessor(node),
    ...(constructs && { constructor_: true }),
    ...lowering.at(symbolNode ?? node),
  };
}

function isMethod({ type }: SyntaxNode): boolean {
  return type === 'method_definition' || type === 'method_signature';
}

function accessor(node: SyntaxNode): Pick<FunctionCode, 'accessor'> {
  if (hasToken(node, 'get')) return { accessor: 'get' };
  return hasToken(node, 'set') ? { accessor: 'set' } : {};
}

/** The body of an arrow function may be the expression that it returns. */
function bodyOf(body: SyntaxNode, context: Context): Statement[] {
  if (body.type === 'statement_block') return context.statements(named(body));
  return [{ kind: 'return', value: context.expression(body) }];
}

function parametersOf(
  node: SyntaxNode,
  context: Context,
): { readonly parameters: readonly Parameter[]; readonly receiver?: Parameter } {
  const single = child(node, 'parameter');
  const list = child(node, 'parameters') ?? ofType(node, 'formal_parameters');
  const nodes = single ? [single] : list ? named(list) : [];
  const receiver = nodes.find((each) => child(each, 'pattern')?.type === 'this');
  return {
    parameters: nodes.filter((each) => each !== receiver).map((each) => parameter(each, context)),
    ...(receiver && { receiver: parameter(receiver, context) }),
  };
}

function parameter(node: SyntaxNode, context: Context): Parameter {
  const typed = node.type === 'required_parameter' || node.type === 'optional_parameter';
  const written = typed ? child(node, 'pattern') : node;
  const isRest = written?.type === 'rest_pattern';
  const withDefault = written?.type === 'assignment_pattern';
  const of = withDefault ? child(written, 'left') : isRest ? named(written)[0] : written;
  const value = withDefault ? child(written, 'right') : typed ? child(node, 'value') : undefined;
  const field = typed && FIELD_MODIFIERS.some((modifier) => ofType(node, modifier));
  return {
    target: of ? pattern(of, context) : UNKNOWN,
    ...(typed && annotation(node, context)),
    ...(value && { default: context.expression(value) }),
    ...(isRest && { rest: 'list' as const }),
    ...(field && { field: true as const }),
  };
}

const FIELD_MODIFIERS: readonly string[] = ['accessibility_modifier', 'readonly', 'override_modifier'];

function parameterDecorators(node: SyntaxNode, context: Context): Expression[] {
  const list = child(node, 'parameters');
  if (!list) return [];
  return named(list).flatMap((each) => decoratorsOf(each.children, context));
}

/** The values of `@…` among some nodes. */
export function decoratorsOf(nodes: readonly SyntaxNode[], context: Context): Expression[] {
  return nodes
    .filter(({ type }) => type === 'decorator')
    .flatMap((each) => named(each).slice(0, 1).map(context.expression));
}
