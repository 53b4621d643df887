import type { Class, Func } from '../declarations.js';
import { Node } from '../node.js';
import type { Unit, Variable } from '../program.js';

/** Nodes of what is stored in objects. */
export class FieldNodes {
  /** Fields that no declaration names, by class, and members of what a file assigns to `module.exports`. */
  readonly #fields = new Map<Class | Func | Unit, Map<string, Node>>();
  /** The same for what is stored in classes themselves, where that makes methods of functions. */
  readonly #held = new Map<Class | Func | Unit, Map<string, Node>>();
  readonly #stored = new Map<Variable, Node>();
  readonly #patched = new Map<Variable, Node>();

  /** `begin` is called with a new node. */
  of(container: Class | Func | Unit, name: string, begin?: (node: Node) => void): Node {
    return fieldOf(this.#fields, container, name, begin);
  }

  /** What is stored in a class under a name that it does not declare: functions among it are methods. */
  heldBy(container: Class, name: string): Node {
    return fieldOf(this.#held, container, name);
  }

  /** What is stored in objects under a name that their class has: functions among it are not methods. */
  storedIn(variable: Variable): Node {
    return nodeOf(this.#stored, variable);
  }

  /** Values that are stored in a class under the name of one of its methods. */
  patched(variable: Variable): Node {
    return nodeOf(this.#patched, variable);
  }
}

function fieldOf(
  fields: Map<Class | Func | Unit, Map<string, Node>>,
  container: Class | Func | Unit,
  name: string,
  begin?: (node: Node) => void,
): Node {
  let own = fields.get(container);
  if (!own) fields.set(container, (own = new Map()));
  let node = own.get(name);
  if (!node) {
    own.set(name, (node = new Node()));
    begin?.(node);
  }
  return node;
}

function nodeOf(nodes: Map<Variable, Node>, variable: Variable): Node {
  let node = nodes.get(variable);
  if (!node) nodes.set(variable, (node = new Node()));
  return node;
}
