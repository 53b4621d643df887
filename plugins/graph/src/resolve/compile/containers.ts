import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Instruction } from '../instructions.js';
import { Node } from '../node.js';
import { computedKey, keyOf } from './keys.js';
import { operation } from './objects.js';
import type { Place, Walker } from './walker.js';

/** Compiles a list, tuple, set or object that is written out to the node of its value. */
export function compileContainer(
  walker: Walker,
  expression: Extract<code.Expression, { kind: 'list' | 'tuple' | 'set' | 'object' }>,
  place: Place,
): Node {
  const { unit } = walker;
  const node = new Node();
  const items: Array<Extract<Instruction, { kind: 'container' }>['items'][number]> = [];
  const iterates = unit.rules.operationsCall && unit.rules.protocol?.each !== undefined;
  const add = (key: string | undefined, value: code.Expression, computed?: Node) => {
    const loops = iterates && value.kind === 'spread' && value.of === 'list';
    const item = loops ? operation(walker, 'each', value.value, place) : walker.expression(value, place);
    if (!item) return;
    // The methods of a record are called on it.
    const [func] = item.values ?? [];
    const isMethod = value.kind === 'function' && !value.function.arrow && func?.kind === 'function';
    if (isMethod && unit.rules.recordLiterals) node.flowTo(func.thisNode);
    const accessor = isMethod && func.code.accessor ? func : undefined;
    items.push({ key, computed, spread: value.kind === 'spread' && !loops, accessor, node: item });
  };
  if (expression.kind === 'object') {
    for (const { key, value } of expression.entries) {
      const known = keyOf(key, unit.rules);
      const computed = known === undefined ? computedKey(walker, key, place) : undefined;
      // A method under a symbol or another computed name is not what a name finds.
      const isHidden = key && known === undefined && value.kind === 'function' && unit.rules.recordLiterals;
      if (isHidden) walker.expression(value, place);
      else add(known, value, computed);
    }
  } else {
    let spreads = false;
    for (const [index, item] of expression.items.entries()) {
      spreads ||= item.kind === 'spread';
      add(spreads || expression.kind === 'set' ? undefined : String(index), item);
    }
  }
  const names = expression.kind === 'tuple' ? expression.names : undefined;
  const { kind: type } = expression;
  unit.instructions.push({ kind: 'container', type, names, unit, scope: place.scope, node, items });
  return node;
}
