import { nearest } from '../languages/paths.js';
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

  /** The nearest declaration with a body, else the nearest: modules may declare the same names in packages of one name. */
  find(key: string, name: string, path: string): Variable | undefined {
    const known = this.#scopes.get(key)?.get(name) ?? [];
    const whole = known.filter(hasBody);
    return nearest(whole.length > 0 ? whole : known, path, ({ scope }) => scope.unit.path)[0];
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

function hasBody({ declarations = [] }: Variable): boolean {
  return declarations.some(
    (each) => each.kind === 'class' || (each.kind === 'function' && each.code.hasBody),
  );
}
