import type { FunctionCode, Parameter, Statement, TypeParameter } from '../../../code.js';
import { child, named, ofType, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { docTags, type DocTag } from './doc.js';
import { variableOf } from './names.js';
import { docType, typeOf } from './types.js';

export function functionOf(php: Php, node: SyntaxNode, doc?: string): FunctionCode {
  const { lowering } = php;
  const tags = docTags(doc);
  const name = child(node, 'name');
  const text = name && lowering.textOf(name);
  const body = child(node, 'body');
  const at = lowering.at(name ?? node);
  const returned = tags.find(({ tag }) => tag === 'return');
  const returns = typeOf(php, child(node, 'return_type')) ?? (returned && docType(php, returned.type, at));
  const types = templates(php, tags, node);
  return {
    ...at,
    ...(name && lowering.symbolAt(name)),
    ...(text !== undefined && { name: text }),
    parameters: named(child(node, 'parameters') ?? NO_NODE).map((parameter) =>
      parameterOf(php, parameter, tags),
    ),
    ...(returns && { returns }),
    ...(types.length > 0 && { types }),
    ...(body && { body: bodyOf(php, node, body) }),
    ...(body && lowering.textOf(body).includes('yield') && yields(body) && { generator: true }),
    ...(ofType(node, 'static_modifier') && node.type === 'method_declaration' && { static: true }),
    ...(text?.toLowerCase() === '__construct' && { constructor_: true }),
  };
}

function bodyOf(php: Php, node: SyntaxNode, body: SyntaxNode): Statement[] {
  return node.type === 'arrow_function'
    ? [{ kind: 'return', value: php.expression(body) }]
    : php.statements(body);
}

const FUNCTIONS = new Set([
  'anonymous_function',
  'anonymous_function_creation_expression',
  'arrow_function',
  'function_definition',
  'method_declaration',
]);

/** Functions inside another one yield for themselves. */
function yields(node: SyntaxNode): boolean {
  return (
    node.type === 'yield_expression' ||
    node.children.some((each) => !FUNCTIONS.has(each.type) && yields(each))
  );
}

function parameterOf(php: Php, node: SyntaxNode, tags: readonly DocTag[]): Parameter {
  const name = child(node, 'name') ?? node;
  const text = php.lowering.textOf(name);
  const value = child(node, 'default_value');
  const tag = tags.find((each) => each.tag === 'param' && each.name === text);
  const type = typeOf(php, child(node, 'type')) ?? (tag && docType(php, tag.type, php.lowering.at(name)));
  return {
    target: variableOf(php, name),
    ...(type && { type }),
    ...(value && { default: php.expression(value) }),
    ...(node.type === 'variadic_parameter' && { rest: 'list' }),
    ...(node.type === 'property_promotion_parameter' && { field: true }),
  };
}

/** Type parameters: `@template T of Base`. */
export function templates(php: Php, tags: readonly DocTag[], node: SyntaxNode): TypeParameter[] {
  return tags
    .filter(({ tag }) => tag === 'template')
    .map(({ name = '', type }) => {
      const bound = docType(php, type, php.lowering.at(node));
      return { name, ...(bound && { bounds: [bound] }) };
    });
}
