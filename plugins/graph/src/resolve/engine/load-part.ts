import type { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { Instance, Value } from '../values.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';
import { orderedFields } from './ordered-fields.js';

/** Loads what a pattern takes by position from a pair of the library. False for other values, which a pattern loops over. */
export function loadPart(
  { builtins, classes, solver }: Engine,
  value: Instance,
  key: string | undefined,
  to: Node,
): boolean {
  const part = value.arguments[Number(key)];
  if (!part || !builtins.isBuiltin(value.class)) return false;
  if (classes.member(value.class, '@each', 'instance')) return false;
  solver.copy(part, to);
  return true;
}

/**
 * Loads what a pattern takes by position from an object of the project: a field that its constructor takes, or that is
 * declared there. False for other values.
 */
export function loadField(
  engine: Engine,
  value: Value,
  key: string,
  { unit, node }: { readonly unit: Unit; readonly node: Node },
): boolean {
  const { classes, builtins, members } = engine;
  if (value.kind !== 'instance' || builtins.isBuiltin(value.class) || !/^\d+$/.test(key)) return false;
  const parameter = classes
    .constructorsOf(value.class)
    .map((each) => each.code.parameters[Number(key)])
    .find((each) => each?.field);
  const name =
    parameter?.target.kind === 'name'
      ? parameter.target.name
      : (orderedFields(engine, value.class)[Number(key)] ?? declaredField(value, Number(key)));
  if (name === undefined) return false;
  for (const hit of members.find(value, { name, isSuper: false, scope: unit.scope })) {
    flowHit(engine, hit, node);
  }
  return true;
}

/** `auto [a, b] = object` of C++ takes the fields of the class in the order of their declarations. */
function declaredField({ class: { instanceMembers, unit } }: Instance, index: number): string | undefined {
  if (!unit.rules.prototypes) return undefined;
  return [...instanceMembers.values()].filter(({ declarations }) => !declarations)[index]?.name;
}
