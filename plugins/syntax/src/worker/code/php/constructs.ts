import type { Expression } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';

/** Parsed like functions. */
export const CONSTRUCTS: ReadonlySet<string> = new Set(['isset', 'empty', 'array', 'unset']);

/** `isset($a['b'])` and `unset($a['b'])` do not read the element: a class of arrays has a method for each. */
export function constructOf(
  php: Php,
  node: SyntaxNode,
  name: string,
  values: readonly Expression[],
): Expression {
  const of = values.map((each): Expression => {
    if (name === 'array' || each.kind !== 'index') return each;
    const operands = [each.object, ...(each.key ? [each.key] : [])];
    const operator = { name: name === 'unset' ? 'unset' : 'isset', ...php.lowering.at(node) };
    return { kind: 'operation', of: operands, operator };
  });
  return { kind: 'operation', of };
}
