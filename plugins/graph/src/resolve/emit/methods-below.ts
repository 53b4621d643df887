import type { Func } from '../declarations.js';
import type { CallSite } from '../instructions.js';
import type { Node } from '../node.js';
import type { Scope } from '../program.js';
import type { Hierarchy } from './hierarchy.js';

/**
 * Methods of subtypes, for a call on an object or class that has none of the name itself. On the one around the call; in
 * JavaScript, where no types are declared, on any.
 */
export function methodsBelow(hierarchy: Hierarchy, { callee, scope, unit }: CallSite): readonly Func[] {
  if (callee.kind !== 'member' || callee.isSuper || !callee.object) return [];
  if (!unit.rules.functionObjects && !isReceiver(callee.object, scope)) return [];
  const { object, name } = callee;
  const around = [...(object.values ?? [])].flatMap((each) => {
    if (each.kind === 'instance' && !each.exact) return [each.class];
    return each.kind === 'class' ? [each] : [];
  });
  return [...new Set(around)].flatMap((each) => hierarchy.membersBelow(each, name));
}

/** True for the object or class that a method around a scope is called on. */
function isReceiver(object: Node, from: Scope): boolean {
  for (let scope: Scope | null = from; scope; scope = scope.parent)
    if (scope.function && (scope.function.receiver?.state ?? scope.function.thisNode) === object) return true;
  return false;
}
