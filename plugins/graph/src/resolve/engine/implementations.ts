import type { Class, Func } from '../declarations.js';
import type { Engine } from './engine.js';

/** Functions that stand for methods of types: of object literals, and of classes whose objects are used as an interface. */
export class Implementations {
  readonly #engine: Engine;
  readonly #functions = new Map<Func, Set<Func>>();
  /** Classes whose objects are used as an interface. */
  readonly #users = new Map<Class, Set<Class>>();
  readonly #onlyMethods = new Map<Class, Func | undefined>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  of(method: Func): Iterable<Func> {
    return this.#functions.get(method) ?? [];
  }

  /** Notes the methods of a class whose objects are used as an interface. */
  noteUse(container: Class, by: Class): void {
    const { classes, builtins } = this.#engine;
    let users = this.#users.get(container);
    if (!users) this.#users.set(container, (users = new Set()));
    if (container === by || users.has(by) || builtins.isBuiltin(by)) return;
    users.add(by);
    for (const { class: ancestor } of classes.ancestors(container)) {
      for (const [name, { declarations = [] }] of ancestor.instanceMembers) {
        const own = classes.member(by, name, 'instance')?.variable.declarations ?? [];
        const functions = own.filter((each) => each.kind === 'function');
        for (const method of declarations) {
          if (method.kind === 'function') for (const each of functions) this.add(method, each);
        }
      }
    }
  }

  /** Notes a function that is called where a method is. */
  add(method: Func, func: Func): void {
    if (method === func) return;
    const known = this.#functions.get(method);
    if (known) known.add(func);
    else this.#functions.set(method, new Set([func]));
  }

  /** The method of an interface that functions stand for. */
  onlyMethod(container: Class): Func | undefined {
    if (!this.#onlyMethods.has(container)) {
      const ancestors = this.#engine.classes.ancestors(container);
      this.#onlyMethods.set(container, onlyMethodOf(ancestors.map((each) => each.class)));
    }
    return this.#onlyMethods.get(container);
  }
}

/** The only function without a body of a type and its ancestors. */
function onlyMethodOf(types: readonly Class[]): Func | undefined {
  const methods: Func[] = [];
  for (const { instanceMembers } of types) {
    for (const { declarations = [] } of instanceMembers.values()) {
      for (const each of declarations) if (each.kind === 'function' && !each.code.hasBody) methods.push(each);
    }
  }
  return methods.length === 1 ? methods[0] : undefined;
}
