import type { CallSite } from '../instructions.js';
import type { External } from '../values.js';
import type { Engine } from './engine.js';

/** The result of such a function calls its first argument with the others. False where the function is another. */
export function bindArguments(
  { solver }: Engine,
  { unit, arguments: [first, ...given], result }: CallSite,
  { module, name }: External,
): boolean {
  if (unit.rules.partial !== `${module}.${name}`) return false;
  if (!first?.node) return true;
  solver.watch(first.node, (value) => {
    if (value.kind === 'function')
      solver.add(result, { kind: 'bound', function: value, receiver: undefined, given });
    else if (value.kind === 'bound')
      solver.add(result, { ...value, given: [...(value.given ?? []), ...given] });
    else solver.add(result, value);
  });
  return true;
}
