import type { Class, Func } from '../declarations.js';
import type { Variable } from '../program.js';
import { allOverloads } from './overloads.js';

interface Functions {
  readonly functions: readonly Func[];
  /** Of the declarations that it was made of. */
  readonly count: number;
  /** The first that reads a value instead. */
  readonly getter: Func | undefined;
}

/** Names with fewer declarations are searched each time. */
const FEW = 8;

/** Functions by their name, found once where a name has many: each of its calls asks for them. */
export class NamedFunctions {
  readonly #ofVariables = new Map<Variable, Functions>();
  readonly #overloads = new Map<Class, Map<string, readonly Func[]>>();

  functions(variable: Variable): Functions {
    const { declarations = [] } = variable;
    if (declarations.length < FEW) return functionsOf(variable);
    let known = this.#ofVariables.get(variable);
    if (known?.count !== declarations.length)
      this.#ofVariables.set(variable, (known = functionsOf(variable)));
    return known;
  }

  /** All of a name in a class and its ancestors, where those begin with it, else in the ancestors: see {@link allOverloads}. */
  overloads(container: Class, ancestors: readonly Class[], name: string): readonly Func[] {
    if (ancestors[0] !== container) return allOverloads(ancestors, name);
    const known = this.#overloads.get(container)?.get(name);
    if (known) return known;
    const found = allOverloads(ancestors, name);
    if (found.length < FEW) return found;
    let byName = this.#overloads.get(container);
    if (!byName) this.#overloads.set(container, (byName = new Map()));
    byName.set(name, found);
    return found;
  }
}

function functionsOf({ declarations = [] }: Variable): Functions {
  const functions: Func[] = [];
  for (const each of declarations) {
    if (each.kind !== 'function') continue;
    if (each.code.accessor === 'get') return { functions, count: declarations.length, getter: each };
    if (each.code.accessor === undefined) functions.push(each);
  }
  return { functions, count: declarations.length, getter: undefined };
}
