import { Node } from '../node.js';
import type { Variable } from '../program.js';

/** The current values of variables in straight-line code, for languages with ordered flow. */
export class FlowState {
  #current: Map<Variable, Node>;

  constructor(current = new Map<Variable, Node>()) {
    this.#current = current;
  }

  /** The node that holds what the variable is now; absent where only all of its values are known. */
  read(variable: Variable): Node | undefined {
    return this.#current.get(variable);
  }

  /** A new state of the variable. All states flow into the variable, for closures. */
  write(variable: Variable): Node {
    const version = new Node();
    version.flowTo(variable.node);
    (variable.versions ??= []).push(version);
    this.#current.set(variable, version);
    return version;
  }

  copy(): FlowState {
    return new FlowState(new Map(this.#current));
  }

  /** Continues with what any of the states holds. */
  join(states: readonly FlowState[]): void {
    const variables = new Set(states.flatMap((state) => [...state.#current.keys()]));
    for (const variable of variables) {
      const nodes = new Set(states.map((state) => state.#current.get(variable)));
      nodes.delete(undefined);
      const [only] = nodes;
      if (nodes.size === 1 && only) this.#current.set(variable, only);
      else {
        const joined = new Node();
        for (const node of nodes) node?.flowTo(joined);
        this.#current.set(variable, joined);
      }
    }
  }

  /** States at the head of a loop: what comes before it and what {@link LoopHead.close} adds. */
  loop(): LoopHead {
    const heads = new Map<Variable, Node>();
    for (const [variable, node] of this.#current) {
      const head = new Node();
      node.flowTo(head);
      heads.set(variable, head);
      this.#current.set(variable, head);
    }
    return {
      close: (end) => {
        for (const [variable, head] of heads) {
          const node = end.read(variable);
          if (node && node !== head) node.flowTo(head);
        }
      },
    };
  }
}

export interface LoopHead {
  close(end: FlowState): void;
}
