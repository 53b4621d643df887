import type { Node } from '../node.js';
import type { GenericParameter } from '../declarations.js';
import type { Instance, Signature, Value } from '../values.js';

/** What generic parameters, and `this` as a type, stand for at one place. */
export class Environment {
  readonly parameters: ReadonlyMap<GenericParameter, Node>;
  readonly self: Instance | undefined;
  readonly depth: number;
  /** Results of substitution. */
  readonly nodes = new Map<Node, Node>();
  readonly signatures = new Map<Signature, Value>();
  readonly tuples = new Map<Instance, Instance>();

  constructor(parameters: ReadonlyMap<GenericParameter, Node>, self?: Instance) {
    this.parameters = parameters;
    this.self = self;
    let depth = 0;
    for (const node of parameters.values()) depth = Math.max(depth, node.depth);
    this.depth = depth;
  }
}
