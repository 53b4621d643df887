import type { Class } from '../declarations.js';
import type { Scope, Variable } from '../program.js';

/** A member of the class of a scope, or of those that have what the scope is of although they do not stand around it. */
export function memberAround(
  { class: own, function: func }: Scope,
  name: string,
  member: (container: Class, name: string) => Variable | undefined,
): Variable | undefined {
  let found = own && member(own, name);
  let outer = own?.outer ?? (func?.code.owner && func.owner);
  while (outer && outer.code.form !== 'namespace' && !found) {
    found = member(outer, name);
    outer = outer.outer ?? outer.scope.parent?.parent?.class;
  }
  return found;
}
