import type { Expression, FunctionCode, Parameter, Statement, Type } from '../../../code.js';
import { child, type SyntaxNode } from '../syntax-node.js';
import { BLANK, items, type BlockBody, type Context } from './context.js';
import { target } from './patterns.js';
import { typeOf, typeParameters } from './types.js';

/** A function item, method or signature. */
export function functionItem(node: SyntaxNode, outer: Context): FunctionCode {
  const { lowering } = outer;
  const nameNode = child(node, 'name') ?? node;
  const types = typeParameters(node, outer);
  const context: Context = {
    ...outer,
    locals: outer.locals.nested(),
    typeParameters: new Set([...outer.typeParameters, ...types.map(({ name }) => name)]),
  };
  return context.locals.within(() => {
    const { receiver, parameters, statements } = parameterList(child(node, 'parameters'), context);
    const returnType = child(node, 'return_type');
    const body = child(node, 'body');
    return {
      ...lowering.at(nameNode),
      ...lowering.symbolAt(nameNode),
      name: lowering.textOf(nameNode),
      parameters,
      ...(receiver && { receiver }),
      ...(returnType && { returns: typeOf(returnType, context) }),
      ...(types.length > 0 && { types }),
      ...(body && { body: [...statements, ...returned(context.block(body, context))] }),
    };
  });
}

/** A closure. `name`: of the variable it is bound to, where that is a symbol. */
export function closure(node: SyntaxNode, context: Context, name?: SyntaxNode): FunctionCode {
  const { lowering } = context;
  const { symbol } = name ? lowering.symbolAt(name) : {};
  return context.locals.within(() => {
    const { parameters, statements } = parameterList(child(node, 'parameters'), context);
    const returnType = child(node, 'return_type');
    const body = child(node, 'body');
    const value = body ? context.expression(body, context) : BLANK;
    return {
      ...lowering.at(name ?? node),
      ...(name && symbol !== undefined && { symbol, name: lowering.textOf(name) }),
      parameters,
      ...(returnType && { returns: typeOf(returnType, context) }),
      body: [...statements, ...returned(split(value))],
    };
  });
}

function split(value: Expression): BlockBody {
  return value.kind === 'block' ? value : { body: [], value };
}

function returned({ body, value }: BlockBody): Statement[] {
  return value ? [...body, { kind: 'return', value }] : [...body];
}

/** `statements` bind the names of parameters that are patterns. */
function parameterList(
  list: SyntaxNode | undefined,
  context: Context,
): { readonly receiver?: Parameter; readonly parameters: Parameter[]; readonly statements: Statement[] } {
  let receiver: Parameter | undefined;
  const statements: Statement[] = [];
  const parameters = (list ? items(list) : []).flatMap((node): Parameter[] => {
    const pattern = node.type === 'parameter' ? child(node, 'pattern') : node;
    const typeNode = node.type === 'parameter' ? child(node, 'type') : undefined;
    const type: Type | undefined = typeNode && typeOf(typeNode, context);
    if (node.type === 'self_parameter' || pattern?.type === 'self') {
      receiver = { target: BLANK, type: type ?? { kind: 'self' } };
      return [];
    }
    if (node.type === 'variadic_parameter' || !pattern) return [];
    const bound = target(pattern, context);
    statements.push(...bound.statements);
    return [{ target: bound.target, ...(type && { type }) }];
  });
  return { ...(receiver && { receiver }), parameters, statements };
}
