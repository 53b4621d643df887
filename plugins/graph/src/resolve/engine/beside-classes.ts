import type { Class, Func } from '../declarations.js';
import type { Scope, Variable } from '../program.js';
import type { Engine } from './engine.js';

/** By the class of a parameter. */
type ByClass = ReadonlyMap<Class, readonly Func[]>;

/** Finds functions in the scopes around classes by what they take. Each name is read once, not at each call. */
export class BesideClasses {
  readonly #engine: Engine;
  /** For each position of a parameter. */
  readonly #known = new Map<Variable, ByClass[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Functions of a name in the scopes around a class that take an object of it at a position. */
  functions(container: Class, name: string, index: number): Func[] {
    const { classes } = this.#engine;
    const found: Func[] = [];
    for (let scope: Scope | null = container.scope.parent; scope; scope = scope.parent) {
      const { names } = scope.class ? classes.canonical(scope.class).scope : scope;
      const variable = names.get(name);
      if (variable) found.push(...(this.#taking(variable, index).get(container) ?? []));
    }
    return found;
  }

  #taking(variable: Variable, index: number): ByClass {
    let positions = this.#known.get(variable);
    if (!positions) this.#known.set(variable, (positions = []));
    return (positions[index] ??= this.#read(variable, index));
  }

  #read({ declarations = [] }: Variable, index: number): ByClass {
    const byClass = new Map<Class, Func[]>();
    for (const each of declarations) {
      const type = each.kind === 'function' ? each.parameters[index]?.type : undefined;
      const taken = type && this.#engine.typeNames.classNamed(type, each.scope);
      if (each.kind !== 'function' || !taken) continue;
      const functions = byClass.get(taken);
      if (functions) functions.push(each);
      else byClass.set(taken, [each]);
    }
    return byClass;
  }
}
