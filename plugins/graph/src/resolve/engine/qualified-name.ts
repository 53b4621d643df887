import type { Class } from '../declarations.js';

/** The name of a class with those of the classes around it; absent inside functions. */
export function qualifiedName(container: Class): string | undefined {
  const names: string[] = [];
  for (let scope: Class['scope'] | null = container.scope; scope; scope = scope.parent) {
    if (scope.kind === 'function') return undefined;
    if (scope.class) {
      if (scope.class.name === undefined) return undefined;
      names.unshift(scope.class.name);
    }
  }
  return names.join('.');
}
