import type { Expression } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';

/** Parsed like functions. */
export const CONSTRUCTS: ReadonlySet<string> = new Set(['isset', 'empty', 'array', 'unset']);

/**
 * `isset($a['b'])` and `unset($a['b'])` do not read the element: a class of arrays has a method for each. So has one for
 * members that it lacks.
 */
export function constructOf(
  php: Php,
  node: SyntaxNode,
  name: string,
  values: readonly Expression[],
): Expression {
  const of = values.map((each): Expression => {
    const run = name === 'unset' ? name : 'isset';
    if (name !== 'array' && each.kind === 'member') {
      const operator = { name: `${run}.${each.name}`, ...php.lowering.at(node) };
      const tested: Expression = { kind: 'operation', of: [each.object], operator };
      return name === 'unset' ? tested : { kind: 'operation', of: [tested, each] };
    }
    if (name === 'array' || each.kind !== 'index') return each;
    const operands = [each.object, ...(each.key ? [each.key] : [])];
    return { kind: 'operation', of: operands, operator: { name: run, ...php.lowering.at(node) } };
  });
  return { kind: 'operation', of };
}
