import type { Engine } from '../engine/engine.js';
import type { Callee, CallSite } from '../instructions.js';
import type { External } from '../values.js';

/** True where more values may be called than the solver takes in: those that came first are not all. */
export function hasTooManyValues(callee: Callee): boolean {
  const called = callee.kind === 'binding' || callee.kind === 'value' ? callee.node : callee.object;
  return called?.saturated === true;
}

/** True where some of the functions that are called as values were dropped on their way, at a node with too many. */
export function lacksFunctions(callee: Callee): boolean {
  return (callee.kind === 'binding' || callee.kind === 'value') && callee.node?.incomplete === true;
}

/** True for a call on an object of which nothing is known. */
export function hasUnknownReceiver({ classes }: Engine, { callee, name = '' }: CallSite): boolean {
  // A supertype that is not known has a member of its own.
  if (callee.kind !== 'member' || !callee.object || callee.isSuper) return false;
  // The name of a field says nothing about its value.
  return !callee.object.values?.some(
    (each) => each.kind === 'instance' && classes.member(each.class, name, 'instance'),
  );
}

/** A bare name that nothing declares is a member of a supertype outside the project, where a class around the call has one. */
export function inheritedExternal(
  { classes, values }: Engine,
  { callee, name, unit, constructs }: CallSite,
): Pick<External, 'module' | 'name'> | undefined {
  if (callee.kind !== 'binding' || unit.rules.bareNames !== 'members' || constructs) return undefined;
  const { binding } = callee;
  if (name === undefined || !('kind' in binding)) return undefined;
  const { target } = binding;
  if (target && !(target.kind === 'external' && target.isType)) return undefined;
  for (const each of binding.classes) {
    const container = each.kind === 'class' ? each : each.owner;
    const external = container && classes.externalAncestor(classes.canonical(container));
    if (external) {
      const { module, name: member } = values.member(external, name);
      return { module, name: member };
    }
  }
  return undefined;
}
