import { Node } from '../node.js';
import type { Instance, Value } from '../values.js';
import type { Engine } from './engine.js';

/** The elements of an object whose class has a member that gives an iterator: `[Symbol.iterator]()`. False for others. */
export function iterateMembers(engine: Engine, value: Instance, to: Node): boolean {
  const { iterator } = value.class.unit.rules;
  const results = (iterator?.members ?? []).flatMap((name) => resultOf(engine, value, name) ?? []);
  for (const each of results) engine.solver.watch(each, (made) => elementsOf(engine, made, to));
  return results.length > 0;
}

/** What an iterator gives: the elements of a builtin one, else the values of what `next()` returns. */
function elementsOf(engine: Engine, value: Value, to: Node): void {
  if (value.kind !== 'instance') return;
  // An object may be its own iterator: only builtin iterators are looped over again.
  if (engine.classes.member(value.class, '@each', 'instance')) {
    engine.containers.operate(value, '@each', to);
    return;
  }
  const { next = '', value: element = '' } = value.class.unit.rules.iterator ?? {};
  const result = value.site ? methodOf(engine, value, next) : resultOf(engine, value, next);
  if (!result) return;
  engine.solver.watch(result, (each) => {
    if (each.kind === 'instance' && each.site) each.site.readMember(element, to);
  });
}

function resultOf(
  { classes, types, substitution, environments }: Engine,
  value: Instance,
  name: string,
): Node | undefined {
  const found = classes.member(value.class, name, 'instance');
  const method = found?.variable.declarations?.find((each) => each.kind === 'function');
  if (!found || method?.kind !== 'function') return undefined;
  return substitution.of(types.result(method), environments.find(value, found.owner));
}

/** The results of the functions that a literal has under a name. */
function methodOf({ solver, types }: Engine, { site }: Instance, name: string): Node {
  const functions = new Node();
  const result = new Node();
  site?.readMember(name, functions);
  solver.watch(functions, (each) => {
    if (each.kind === 'function') solver.copy(types.result(each), result);
  });
  return result;
}
