import type { Class } from '../declarations.js';
import type { Unit } from '../program.js';
import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';
import type { Side } from './member-access.js';

/** A member that the project adds to a class of the language, of which a value is, or to the class of all such values. */
export function reopenedMember(
  { classes, builtins, typeNames }: Engine,
  container: Class,
  name: string,
  side: Side,
  unit: Unit,
): FoundMember | null {
  const { reopensBuiltins } = unit.rules;
  if (!reopensBuiltins) return null;
  const memberOf = (of: string, from: Side): FoundMember | null => {
    const found = typeNames.find([of], unit.scope);
    if (found?.kind !== 'class' || builtins.isBuiltin(found.class)) return null;
    const member = classes.member(found.class, name, from);
    return member && !isConditional(member) ? member : null;
  };
  for (const { class: each } of classes.ancestors(container)) {
    const member = builtins.isBuiltin(each) && each.name ? memberOf(each.name, side) : null;
    if (member) return member;
  }
  const all = side === 'instance' ? reopensBuiltins.object : reopensBuiltins.class;
  for (const each of all) {
    const member = memberOf(each, 'instance');
    if (member) return member;
  }
  return null;
}

/** True for a member that stands in for one which some version of the language lacks. */
function isConditional({ variable: { declarations = [] } }: FoundMember): boolean {
  return declarations.some((each) => each.kind === 'function' && each.code.conditional);
}
