import type { Node } from '../node.js';
import type { GenericParameter } from '../declarations.js';
import type { External, Instance, Signature, Value } from '../values.js';

/** Types of generic parameters and of `this` at one place. */
export class Environment {
  readonly parameters: ReadonlyMap<GenericParameter, Node>;
  readonly self: Instance | External | undefined;
  readonly depth: number;
  #nodes: Map<Node, Node> | undefined;
  #signatures: Map<Signature, Value> | undefined;
  #tuples: Map<Instance, Instance> | undefined;

  constructor(parameters: ReadonlyMap<GenericParameter, Node>, self?: Instance | External) {
    this.parameters = parameters;
    this.self = self;
    let depth = 0;
    for (const node of parameters.values()) depth = Math.max(depth, node.depth);
    this.depth = depth;
  }

  /** Results of substitution. Few environments have all kinds. */
  get nodes(): Map<Node, Node> {
    return (this.#nodes ??= new Map());
  }

  get signatures(): Map<Signature, Value> {
    return (this.#signatures ??= new Map());
  }

  get tuples(): Map<Instance, Instance> {
    return (this.#tuples ??= new Map());
  }
}
