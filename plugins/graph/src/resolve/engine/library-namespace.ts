import type { Class } from '../declarations.js';
import { qualifiedName } from './qualified-name.js';

/** The name of a namespace of the standard library that a project adds to: what it lacks is of the library. `namespace std { … }` */
export function libraryOf(container: Class): string | undefined {
  const { code, name, unit } = container;
  if (code.form !== 'namespace' || name === undefined || !unit.rules.builtinModules?.includes(name))
    return undefined;
  return qualifiedName(container) === name ? name : undefined;
}
