import type { Expression, FunctionCode, FunctionStatement, Parameter, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { within, type Context } from './context.js';
import { isFunctionVariable, typeParameters } from './types.js';

/** Decorators with a meaning in the language; others are calls with the function. */
const MEANINGS =
  /^(?:\w+\.)?(staticmethod|classmethod|property|cached_property|abstractmethod|abstractproperty|overload|override|final)$|\.(setter|getter|deleter)$/;
/** Methods that take the class without a decorator. */
const CLASS_METHODS = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

/** The expressions of the decorators of a `decorated_definition`. */
export function decoratorsOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((each) => each.type === 'decorator').flatMap((each) => named(each).slice(0, 1));
}

export function functionCode(
  node: SyntaxNode,
  decorators: readonly SyntaxNode[],
  context: Context,
): FunctionCode {
  const { lowering, frame } = context;
  const nameNode = child(node, 'name') ?? node;
  const name = lowering.textOf(nameNode);
  const meanings = new Set<string>();
  const applied: Expression[] = [];
  for (const decorator of decorators) {
    const match = MEANINGS.exec(lowering.textOf(decorator));
    if (match) meanings.add(match[1] ?? match[2] ?? '');
    else applied.push(context.expression(decorator, context));
  }
  // A property of what another decorator makes of the function.
  const [outermost] = decorators;
  const isProperty = outermost && lowering.textOf(outermost) === 'property' && applied.length > 0;
  if (isProperty) applied.unshift(context.expression(outermost, context));
  const method = frame.kind === 'class';
  const ofClass = meanings.has('classmethod') || (method && CLASS_METHODS.has(name));
  const mentioned = new Set<string>();
  const receiverType = method ? receiverVariable(node, context) : undefined;
  const signature = { ...context, receiverType };
  const receiverOf = ({ type, ...bare }: Parameter): Parameter =>
    type && receiverType === undefined ? { ...bare, type } : bare;
  const all = parameters(child(node, 'parameters'), signature, mentioned);
  const returnType = child(node, 'return_type');
  const returns = returnType && context.type(returnType, signature, mentioned);
  const types = [
    ...typeParameters(child(node, 'type_parameters'), context),
    ...[...mentioned].flatMap((each) => {
      const variable = frame.typeNames.has(each) ? undefined : context.typeVariables.get(each);
      return variable ? [variable] : [];
    }),
  ];
  const takesReceiver =
    method && !meanings.has('staticmethod') && all[0] !== undefined && all[0].rest === undefined;
  const { symbol } = lowering.symbolAt(nameNode);
  if (/^test(?:_|[A-Z\d]|$)/.test(name)) lowering.define(symbol, { test: true });
  const inner = within(context, 'function');
  const block = child(node, 'body');
  const body = meanings.has('overload') || !block ? undefined : context.body(block, inner);
  return {
    ...lowering.at(nameNode),
    ...(symbol !== undefined && { symbol }),
    name,
    parameters: takesReceiver ? all.slice(1) : all,
    ...(takesReceiver && { receiver: receiverOf(all[0] as Parameter) }), // its index is checked above
    ...(returns && !isFunctionVariable(returns, types) && { returns }),
    ...(types.length > 0 && { types }),
    ...(body && { body }),
    ...(node.children[0]?.type === 'async' && { async: true as const }),
    ...(inner.frame.generator && { generator: true as const }),
    ...((meanings.has('staticmethod') || ofClass) && { static: true as const }),
    ...(!isProperty && accessor(meanings)),
    ...(method && name === '__init__' && { constructor_: true as const }),
    ...(applied.length > 0 && { decorators: applied }),
  };
}

/** Signatures with `@overload` are not bound to the name of a function that its decorators replace. */
export function withoutStubs(statements: Statement[]): Statement[] {
  const isStub = (each: Statement): each is FunctionStatement =>
    each.kind === 'function' && !each.function.body;
  if (!statements.some(isStub)) return statements;
  const replaced = new Set(
    statements.flatMap((each) =>
      each.kind === 'function' && each.function.decorators ? [each.function.name] : [],
    ),
  );
  return statements.map((each) =>
    isStub(each) && replaced.has(each.function.name)
      ? { kind: 'evaluate', value: { kind: 'function', function: each.function } }
      : each,
  );
}

const OF_RECEIVER = /^(?:(?:\w+\.)?[Tt]ype\[)?(\w+)\]?$/;

/** The type variable in the annotation of the first parameter: `self: T`, `cls: type[T]`. */
function receiverVariable(node: SyntaxNode, { lowering, typeVariables }: Context): string | undefined {
  const list = child(node, 'parameters');
  const annotation = list && named(list)[0] && child(named(list)[0] as SyntaxNode, 'type');
  const name = annotation && OF_RECEIVER.exec(lowering.textOf(annotation).replaceAll(/['"\s]/g, ''))?.[1];
  return name !== undefined && typeVariables.has(name) ? name : undefined;
}

function accessor(meanings: ReadonlySet<string>): Pick<FunctionCode, 'accessor'> {
  if (meanings.has('setter') || meanings.has('deleter')) return { accessor: 'set' };
  const read = ['property', 'cached_property', 'abstractproperty', 'getter'].some((each) =>
    meanings.has(each),
  );
  return read ? { accessor: 'get' } : {};
}

/** `lambda a: b`. */
export function lambda(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const inner = within(context, 'function');
  const body = child(node, 'body');
  const value = body && context.expression(body, inner);
  return {
    kind: 'function',
    function: {
      ...lowering.at(node),
      ...lowering.symbolAt(node),
      parameters: parameters(child(node, 'parameters'), context),
      body: value ? [{ kind: 'return', value }] : [],
      ...(inner.frame.generator && { generator: true as const }),
    },
  };
}

function parameters(node: SyntaxNode | undefined, context: Context, mentioned?: Set<string>): Parameter[] {
  return node ? named(node).flatMap((each) => parameter(each, context, mentioned)) : [];
}

function parameter(node: SyntaxNode, context: Context, mentioned?: Set<string>): Parameter[] {
  const annotation = child(node, 'type');
  const fallback = child(node, 'value');
  const rest = {
    ...(annotation && { type: context.type(annotation, context, mentioned) }),
    ...(fallback && { default: context.expression(fallback, context) }),
  };
  switch (node.type) {
    case 'identifier':
    case 'tuple_pattern':
      return [{ target: context.expression(node, context) }];
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern': {
      const [name] = named(node);
      if (!name) return [];
      return [
        {
          target: context.expression(name, context),
          rest: node.type === 'list_splat_pattern' ? 'list' : 'dict',
        },
      ];
    }
    case 'typed_parameter': {
      const [first] = named(node);
      return first ? parameter(first, context).map((each) => ({ ...each, ...rest })) : [];
    }
    case 'default_parameter':
    case 'typed_default_parameter': {
      const name = child(node, 'name');
      return name ? [{ target: context.expression(name, context), ...rest }] : [];
    }
    default:
      return [];
  }
}
