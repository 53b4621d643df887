import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';
import type { Access } from './member-access.js';
import type { Hit } from './hit.js';

/** A member of the class that all classes extend. `read`: what a variable of it gives. */
export function rootMembers(
  { classes, builtins, values }: Engine,
  { name, scope }: Access,
  read: (found: FoundMember) => readonly Hit[],
): readonly Hit[] {
  const { rootClass } = scope.unit.rules;
  const root = rootClass === undefined ? undefined : builtins.find(scope.unit.rules, rootClass);
  if (!root) return [];
  const found = classes.member(root, name, 'static');
  return found ? read(found) : [{ kind: 'value', value: values.external('', `${root.name ?? ''}.${name}`) }];
}
