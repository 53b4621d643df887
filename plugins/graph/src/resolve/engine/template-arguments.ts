import type { GenericParameter } from '../declarations.js';
import { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';

/** What the parameters of templates stand for in all their uses: members of them are those of these types. */
export class TemplateArguments {
  readonly #engine: Engine;
  readonly #nodes = new Map<GenericParameter, Node>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Notes what a use of a template gives its parameters. */
  note({ rules }: Unit, { parameters }: Environment): void {
    if (!rules.templates) return;
    for (const [parameter, node] of parameters) {
      const all = this.#node(parameter);
      this.#engine.solver.copy(node, all);
      // One template is used with the parameters of another.
      this.#engine.solver.watch(node, (value) => {
        if (value.kind === 'parameter' && value !== parameter)
          this.#engine.solver.copy(this.#node(value), all);
      });
    }
  }

  /** Calls back for the types that a parameter without bounds stands for. False for another value. */
  watch(value: Value, { rules }: Unit, receive: (argument: Value) => void): boolean {
    if (value.kind !== 'parameter' || !rules.templates) return false;
    this.#engine.solver.watch(this.#node(value), (argument) => {
      if (argument.kind !== 'parameter') receive(argument);
    });
    return true;
  }

  #node(parameter: GenericParameter): Node {
    let node = this.#nodes.get(parameter);
    if (!node) this.#nodes.set(parameter, (node = new Node()));
    return node;
  }
}
