import type { Class } from '../declarations.js';
import type { Engine } from '../engine/engine.js';
import type { CallSite } from '../instructions.js';

/** The classes of what a method is called on; none where it may be something else, too. */
export function receiversOf({ classes }: Engine, { callee }: CallSite): readonly Class[] {
  const values = callee.kind === 'member' && !callee.isSuper ? callee.object?.values : undefined;
  const found: Class[] = [];
  for (const each of values ?? []) {
    if (each.kind !== 'instance') return [];
    found.push(classes.canonical(each.class));
  }
  return found;
}
