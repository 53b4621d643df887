import type { Class } from '../declarations.js';
import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';
import { afterOf, type Access } from './member-access.js';
import type { Hit } from './hit.js';

/** A member that a class has as an object of its metaclass. `read`: what a variable of a class gives. */
export function metaclassMember(
  engine: Engine,
  container: Class,
  access: Access,
  read: (found: FoundMember) => readonly Hit[],
): readonly Hit[] | undefined {
  const { creation, classes, values } = engine;
  const metaclass = creation.metaclass(container);
  if (!metaclass) return undefined;
  const around = afterOf(engine, access);
  const isAbove = around && classes.isOf(metaclass, around);
  if (access.isSuper && !isAbove) return undefined;
  const found = classes.member(metaclass, access.name, 'instance', around);
  if (found) return read(found).map((hit) => (hit.kind === 'method' ? { ...hit, ofMetaclass: true } : hit));
  const { root = '' } = container.unit.rules.creation ?? {};
  return isAbove ? [{ kind: 'value', value: values.external('', `${root}.${access.name}`) }] : undefined;
}
