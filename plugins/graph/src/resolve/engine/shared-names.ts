import type { Variable } from '../program.js';
import type { Project } from './project.js';

/** Names that all files of one scope see: those of a package of Go or Java, of a namespace. */
export class SharedNames {
  /** By key of the scope. */
  readonly #scopes = new Map<string, Map<string, Variable[]>>();

  constructor(project: Project) {
    for (const unit of project.units) {
      const key = project.modules(unit.rules).scopeOf?.(unit.path);
      if (key === undefined) continue;
      let names = this.#scopes.get(key);
      if (!names) this.#scopes.set(key, (names = new Map()));
      for (const [name, variable] of unit.scope.names) {
        if (!isDeclared(variable)) continue;
        const known = names.get(name);
        if (known) known.push(variable);
        else names.set(name, [variable]);
      }
    }
  }

  find(key: string, name: string): Variable | undefined {
    return best(this.#scopes.get(key)?.get(name));
  }
}

/** True for names that other files of a shared scope may see: not what the file imports. */
export function isDeclared(variable: Variable): boolean {
  return !variable.declarations?.some((each) => each.kind === 'import');
}

/** True for a name that only functions have. */
export function isFunction({ declarations = [] }: Variable): boolean {
  return declarations.length > 0 && declarations.every((each) => each.kind === 'function');
}

/** The declaration with a body, else the first. */
function best(variables: readonly Variable[] | undefined): Variable | undefined {
  return (
    variables?.find((each) =>
      each.declarations?.some(
        (declaration) =>
          declaration.kind === 'class' || (declaration.kind === 'function' && declaration.code.hasBody),
      ),
    ) ?? variables?.[0]
  );
}
