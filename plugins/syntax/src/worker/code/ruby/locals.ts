import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';

/** Bodies with local variables of their own. */
const SCOPES = new Set(['method', 'singleton_method', 'class', 'module', 'singleton_class']);
/** Nodes in which each identifier is a variable that is set. */
const TARGETS = new Set(
  (
    'left_assignment_list destructured_left_assignment rest_assignment exception_variable destructured_parameter ' +
    'array_pattern find_pattern hash_pattern as_pattern alternative_pattern'
  ).split(' '),
);
const PARAMETERS = new Set(['method_parameters', 'block_parameters', 'lambda_parameters']);

/** The local variables that a body sets, its blocks included. */
export function localsOf(lowering: Lowering, body: readonly SyntaxNode[]): Set<string> {
  const found = new Set<string>();
  const add = (node: SyntaxNode | undefined): void => {
    if (node?.type === 'identifier') found.add(lowering.textOf(node));
  };
  const visit = (node: SyntaxNode, isTarget: boolean): void => {
    if (SCOPES.has(node.type)) return;
    if (isTarget) add(node);
    if (node.type === 'assignment' || node.type === 'operator_assignment') add(child(node, 'left'));
    if (node.type === 'for' || node.type === 'in_clause' || node.type.endsWith('_pattern'))
      add(child(node, 'pattern'));
    if (node.type === 'keyword_pattern' && !child(node, 'value')) {
      const key = child(node, 'key');
      if (key) found.add(lowering.textOf(key));
    }
    if (node.type.endsWith('_parameter')) add(child(node, 'name'));
    const inside = PARAMETERS.has(node.type) || TARGETS.has(node.type);
    for (const each of node.children) visit(each, inside);
  };
  for (const each of body) visit(each, false);
  return found;
}

/** The names of parameters. */
export function parameterNames(lowering: Lowering, list: SyntaxNode | undefined): string[] {
  return list ? [...localsOf(lowering, [list])] : [];
}

/** The statements in a body, which may also be one expression. */
export function bodyNodes(node: SyntaxNode | undefined): SyntaxNode[] {
  if (!node) return [];
  return SEQUENCES.has(node.type) ? named(node) : [node];
}

const SEQUENCES = new Set([
  'body_statement',
  'block_body',
  'then',
  'do',
  'else',
  'ensure',
  'parenthesized_statements',
]);
