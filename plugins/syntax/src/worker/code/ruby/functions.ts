import type { Expression, FunctionCode, Parameter, Statement } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { BLOCK, type Ruby } from './context.js';
import { bodyNodes, localsOf, parameterNames } from './locals.js';

/** A method, block or lambda. */
export function functionOf(ruby: Ruby, node: SyntaxNode, extra: Partial<FunctionCode> = {}): FunctionCode {
  const { lowering } = ruby;
  const name = isMethod(node) ? child(node, 'name') : undefined;
  const text = name && lowering.textOf(name);
  const inner = child(node, 'body');
  // A lambda holds a block, whose statements are its own.
  const holder = node.type === 'lambda' && inner ? inner : node;
  const list = child(node, 'parameters');
  const body = child(holder, 'body');
  const nodes = body && hasHandlers(body) ? [body] : bodyNodes(body);
  const own = new Set([...parameterNames(lowering, list), ...localsOf(lowering, nodes)]);
  const implied = list || isMethod(node) ? [] : impliedParameters(ruby, holder);
  const within = ruby.within({
    locals: isMethod(node) ? own : new Set([...ruby.locals, ...own, ...implied]),
    ...(text !== undefined && { method: text }),
  });
  const parameters = list ? named(list).flatMap((each) => parameterOf(within, each)) : [];
  const block = isMethod(node) ? blockParameter(within, list, node) : undefined;
  return {
    ...lowering.at(name ?? node),
    ...(name && lowering.symbolAt(name)),
    ...(text !== undefined && { name: text }),
    parameters: [
      ...parameters,
      ...implied.map((each): Parameter => ({ target: { kind: 'name', ...lowering.at(node), name: each } })),
      ...(block ? [block.parameter] : []),
    ],
    body: [...(block?.before ?? []), ...within.returning(nodes)],
    ...extra,
  };
}

function isMethod({ type }: SyntaxNode): boolean {
  return type === 'method' || type === 'singleton_method';
}

/** `rescue` and `ensure` stand among the statements that they guard. */
export function hasHandlers(node: SyntaxNode): boolean {
  return node.children.some(({ type }) => type === 'rescue' || type === 'ensure');
}

/** `_1` and `it` in a block without parameters. */
function impliedParameters(ruby: Ruby, block: SyntaxNode): string[] {
  const text = ruby.lowering.textOf(block);
  return ['_1', 'it']
    .filter((name) => new RegExp(`(?<![\\w.:@$])${name}\\b(?!\\s*['"(:])`).test(text))
    .slice(0, 1);
}

/** The block is a parameter of each method: `yield` calls it, `&blk` names it. */
function blockParameter(
  ruby: Ruby,
  list: SyntaxNode | undefined,
  method: SyntaxNode,
): { readonly parameter: Parameter; readonly before: Statement[] } | undefined {
  const declared = list && named(list).find(({ type }) => type === 'block_parameter');
  const name = declared && child(declared, 'name');
  const at = ruby.lowering.at(declared ?? method);
  const block: Expression = { kind: 'name', ...at, name: BLOCK };
  if (!declared && !/\byield\b/.test(ruby.lowering.textOf(method))) return undefined;
  return {
    parameter: { target: block },
    before: name ? [{ kind: 'declare', ...at, name: ruby.lowering.textOf(name), value: block }] : [],
  };
}

function parameterOf(ruby: Ruby, node: SyntaxNode): Parameter[] {
  const at = ruby.lowering.at(node);
  const name = child(node, 'name');
  const target: Expression = { kind: 'name', ...at, name: name ? ruby.lowering.textOf(name) : '' };
  const value = child(node, 'value');
  switch (node.type) {
    case 'identifier':
      return [{ target: { ...target, name: ruby.lowering.textOf(node) } }];
    case 'optional_parameter':
    case 'keyword_parameter':
      return [{ target, ...(value && { default: ruby.expression(value) }) }];
    case 'splat_parameter':
    case 'forward_parameter':
      return [{ target, rest: 'list' }];
    case 'hash_splat_parameter':
      return [{ target, rest: 'dict' }];
    case 'destructured_parameter':
      return [
        {
          target: {
            kind: 'tuple',
            items: named(node).flatMap((each) => parameterOf(ruby, each).map((p) => p.target)),
          },
        },
      ];
    default:
      return [];
  }
}

/** Parameters of a body that the language makes: the fields of a struct. */
export function plainParameters(ruby: Ruby, nodes: readonly SyntaxNode[]): Parameter[] {
  return nodes.map((node) => ({
    target: { kind: 'name', ...ruby.lowering.at(node), name: symbolText(ruby, node) },
  }));
}

/** `:name` and `'name'` are `name`. Empty for a symbol that is computed. */
export function symbolText(ruby: Ruby, node: SyntaxNode = NO_NODE): string {
  const text = ruby.lowering.textOf(node);
  if (node.type === 'simple_symbol') return text.slice(1);
  if (node.type === 'hash_key_symbol' || node.type === 'bare_symbol') return text;
  const [content] = named(node);
  return node.type === 'string' && named(node).length === 1 && content?.type === 'string_content'
    ? ruby.lowering.textOf(content)
    : '';
}
