import type { Class } from '../declarations.js';
import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';

/** Members that all objects have, also those with an index signature. */
const OF_OBJECTS = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/**
 * The index signature of a class or interface, or of a builtin dictionary. It stands for all members that nothing else
 * declares: `{ [name: string]: Handler }`.
 */
export function indexMember(
  { classes, builtins }: Engine,
  container: Class,
  name?: string,
): FoundMember | null {
  const { dictionary } = container.unit.rules;
  if (dictionary === undefined || (name !== undefined && OF_OBJECTS.has(name))) return null;
  const found = classes.member(container, '@index', 'instance');
  // Lists have elements, but no other members.
  return found && (!builtins.isBuiltin(found.owner) || found.owner.name === dictionary) ? found : null;
}
