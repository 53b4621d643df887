import type { Class, GenericParameter } from '../declarations.js';
import type { Node } from '../node.js';
import type { Instance } from '../values.js';
import type { Engine } from './engine.js';
import { Environment } from './environment.js';

/** The type arguments of objects, by the classes whose members are read. */
export class Environments {
  readonly #engine: Engine;
  readonly #known = new Map<Instance, Map<Class, Environment>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Types of the generic parameters of a supertype in an object. */
  find(instance: Instance, owner: Class): Environment | undefined {
    if (owner.generics.length === 0) return undefined;
    let known = this.#known.get(instance);
    if (!known) this.#known.set(instance, (known = new Map()));
    let found = known.get(owner);
    if (found) return found;
    let args = instance.arguments;
    if (owner !== instance.class) {
      const own = this.find(instance, instance.class);
      const ancestor = this.#engine.classes.ancestors(instance.class).find((each) => each.class === owner);
      args = (ancestor?.arguments ?? []).map((node) => this.#engine.substitution.of(node, own));
    }
    const parameters = new Map<GenericParameter, Node>();
    for (const [index, generic] of owner.generics.entries()) {
      const node = this.#engine.derived.elements(instance, owner) ?? args[index];
      if (node) parameters.set(generic, node);
    }
    known.set(owner, (found = new Environment(parameters, instance)));
    this.#engine.templates.note(owner.unit, found);
    return found;
  }

  /** Drops what was found before all members were in their classes. */
  forget(): void {
    this.#known.clear();
  }
}
