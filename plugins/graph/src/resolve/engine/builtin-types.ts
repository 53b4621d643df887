import type { LanguageRules, LiteralKind } from '../language-rules.js';
import { neutral } from '../languages/neutral.js';
import type { Class, Func } from '../declarations.js';
import type { Unit } from '../program.js';
import type { External } from '../values.js';
import { BuiltinUnit, type BuiltinFollower } from './builtin-unit.js';

/** For languages that describe none of their own. Named as the literals are. */
const PLAIN = `
  class list<T> { @each: T @index: T }
  class tuple<T> { @each: T @index: T }
  class set<T> { @each: T }
  class object<T> { @index: T }
  class generator<T> { @each: T }
  class promise<T> { @await: T }
`;

const PLAIN_RULES: LanguageRules = { ...neutral, builtins: PLAIN };

/** The builtin types of each language. */
export class Builtins {
  readonly #units = new Map<LanguageRules, BuiltinUnit>();
  readonly #all = new Set<Unit>();
  readonly #follower: BuiltinFollower;
  #isStarted = false;

  constructor(follower: BuiltinFollower) {
    this.#follower = follower;
  }

  unitOf(rules: LanguageRules): Unit {
    let found = this.#units.get(rules);
    if (!found) {
      this.#units.set(rules, (found = new BuiltinUnit(rules, this.#follower)));
      this.#all.add(found.unit);
      if (this.#isStarted) found.start();
    }
    return found.unit;
  }

  /** Lets what was asked for be installed, and from now on what is. */
  start(): void {
    this.#isStarted = true;
    for (const each of this.#units.values()) each.start();
  }

  /** Sees to it that the members of a type are compiled. */
  complete(container: Class): void {
    if (this.isBuiltin(container)) void container.instanceMembers.size;
  }

  /** The type of a literal in a language that has no name for it. */
  fallback(type: LiteralKind): Class | undefined {
    return this.find(PLAIN_RULES, type);
  }

  find(rules: LanguageRules, name: string): Class | undefined {
    const found = this.unitOf(rules).scope.names.get(name)?.declarations?.[0];
    return found?.kind === 'class' ? found : undefined;
  }

  /** The type or function that an external name stands for. */
  named(rules: LanguageRules, { module, name }: External): Class | Func | undefined {
    const { names } = this.unitOf(rules).scope;
    const isBuiltin =
      module === '' || rules.builtinModules?.includes(module) || rules.collectionModules?.includes(module);
    const found =
      names.get(module === '' ? name : `${module}.${name}`) ?? (isBuiltin ? names.get(name) : undefined);
    const declared = found?.declarations?.[0];
    return declared?.kind === 'class' || declared?.kind === 'function' ? declared : undefined;
  }

  isFunction(func: Func): boolean {
    return this.#all.has(func.unit);
  }

  isBuiltin(container: Class): boolean {
    return this.#all.has(container.unit);
  }
}
