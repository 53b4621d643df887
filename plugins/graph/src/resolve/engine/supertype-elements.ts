import type { Supertype } from '../declarations.js';
import { Node } from '../node.js';
import type { Instance } from '../values.js';
import type { Engine } from './engine.js';

/** Elements of builtin collections that classes extend without naming their type: `class A(list)`. */
export class SupertypeElements {
  readonly #engine: Engine;
  readonly #elements = new Map<Supertype, readonly Node[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The collection with elements, which are what objects of the class are given. */
  complete(supertype: Supertype, value: Instance): Instance {
    const { generics } = value.class;
    if (generics.length === 0 || value.arguments.length > 0) return value;
    if (!this.#engine.builtins.isBuiltin(value.class)) return value;
    let elements = this.#elements.get(supertype);
    if (!elements) this.#elements.set(supertype, (elements = generics.map(() => new Node())));
    return this.#engine.values.instance(value.class, elements, false);
  }
}
