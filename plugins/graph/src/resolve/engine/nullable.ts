import { Node } from '../node.js';
import type { Instance } from '../values.js';
import type { Engine } from './engine.js';
import type { Access } from './member-access.js';

/** `a.Value` of a struct or an enumeration that lacks such a member: a variable of the type `T?`. */
export function nullableOf(
  { builtins, classes, solver, values }: Engine,
  value: Instance,
  { name, scope }: Access,
): Instance | undefined {
  const { rules } = scope.unit;
  const { form } = value.class.code;
  if (rules.nullableType === undefined || (form !== 'struct' && form !== 'enum')) return undefined;
  if (builtins.isBuiltin(value.class)) return undefined;
  const nullable = builtins.find(rules, rules.nullableType);
  if (!nullable || !classes.member(nullable, name, 'instance')) return undefined;
  const inner = new Node();
  solver.add(inner, value);
  return values.instance(nullable, [inner], false);
}
