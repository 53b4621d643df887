import type { Class } from '../declarations.js';
import type { Engine } from './engine.js';

/** Names of the fields that constructing a class sets in their order, those of supertypes first. */
export function orderedFields({ classes }: Engine, container: Class): readonly string[] {
  const declared = classes.ancestors(container).map((each) => each.class.code.fields ?? []);
  return [...new Set(declared.toReversed().flat())];
}
