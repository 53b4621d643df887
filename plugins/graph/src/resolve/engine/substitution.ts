import { Node, type Receiver } from '../node.js';
import type { Solver } from '../solver.js';
import type { Instance, Signature, Value, Values } from '../values.js';
import type { Environment } from './environment.js';
import { SiteInstance, type Site } from './site.js';

/**
 * Function types nested deeper keep their parameters. They may return themselves: each level holds as many times more as
 * they mention such types.
 */
const MAX_DEPTH = 4;

/** Replaces generic parameters in the values of nodes. */
export class Substitution {
  readonly #solver: Solver;
  readonly #values: Values;

  constructor(solver: Solver, values: Values) {
    this.#solver = solver;
    this.#values = values;
  }

  /** The node with the parameters of an environment replaced; the node itself without one. */
  of(node: Node, environment: Environment | undefined): Node {
    if (!environment || node.saturated) return node;
    const { held } = node;
    const parameter = held && !Array.isArray(held) && held.kind === 'parameter' ? held : undefined;
    // A parameter alone is its argument, at the depth of that: chains of generic calls do not nest.
    const argument = parameter && node.traits?.declared && environment.parameters.get(parameter);
    if (argument) return argument;
    const known = environment.nodes.get(node);
    if (known) return known;
    const result = new Node().mark({ depth: Math.max(node.depth, environment.depth) + 1 });
    environment.nodes.set(node, result);
    this.#solver.watch(node, new Substituted(this, result, environment));
    return result;
  }

  copy(from: Node, environment: Environment | undefined, to: Node): void {
    this.#solver.copy(this.of(from, environment), to);
  }

  /** Adds a value with the parameters of an environment replaced. */
  add(to: Node, value: Value, environment: Environment): void {
    const { parameters, self } = environment;
    const argument = value.kind === 'parameter' ? parameters.get(value) : undefined;
    if (argument) this.#solver.copy(argument, to);
    else if (value.kind === 'self') this.#solver.add(to, self ?? value);
    else if (value.kind === 'instance') this.#solver.add(to, this.#instance(value, environment));
    else if (value.kind === 'signature') this.#solver.add(to, this.#signature(value, environment));
    else this.#solver.add(to, value);
  }

  #instance(value: Instance, environment: Environment): Instance {
    if (!value.open) return value;
    if (value.site) return value.site.isType ? this.#tuple(value, value.site, environment) : value;
    const args = value.arguments.map((each) => this.of(each, environment));
    // The arguments may mention parameters of the code around the call.
    return this.#values.instance(value.class, args, value.exact, true);
  }

  #tuple(value: Instance, site: Site, environment: Environment): Instance {
    let found = environment.tuples.get(value);
    if (!found) {
      found = new SiteInstance(
        value.class,
        site.map((each) => this.of(each, environment)),
        true,
      );
      environment.tuples.set(value, found);
    }
    return found;
  }

  #signature(value: Signature, environment: Environment): Value {
    const { parameters, returns } = value;
    // The result of a type that returns itself is one deeper in each round.
    const depth = Math.max(environment.depth, returns?.depth ?? 0, ...parameters.map((each) => each.depth));
    if (depth > MAX_DEPTH) return value;
    let found = environment.signatures.get(value);
    if (!found) {
      found = {
        kind: 'signature',
        parameters: parameters.map((each) => this.of(each, environment)),
        returns: returns && this.of(returns, environment),
        written: value.written,
        environment: value.environment ?? environment,
      };
      environment.signatures.set(value, found);
    }
    return found;
  }
}

/** Passes what a node holds to the node of its substitution. */
class Substituted implements Receiver {
  readonly #substitution: Substitution;
  readonly #to: Node;
  readonly #environment: Environment;

  constructor(substitution: Substitution, to: Node, environment: Environment) {
    this.#substitution = substitution;
    this.#to = to;
    this.#environment = environment;
  }

  receive(value: Value): void {
    this.#substitution.add(this.#to, value, this.#environment);
  }
}
