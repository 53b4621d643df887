import type { Func, FuncParameter, ParameterTest } from '../declarations.js';
import { Node } from '../node.js';
import type { Variable } from '../program.js';

/**
 * Parameters that a function returns as they are: each call gives what it is given, apart from other calls. Where flow is
 * ordered, the state of a parameter tells; elsewhere a parameter that nothing else assigns.
 */
export class ReturnedParameters {
  readonly #variables = new Map<Node, { readonly variable: Variable; readonly func: Func; writes: number }>();
  readonly #returned: Array<{ readonly func: Func; readonly parameter: FuncParameter; readonly node: Node }> =
    [];

  /** Notes the variable of a parameter. */
  add(variable: Variable, func: Func): void {
    this.#variables.set(variable.node, { variable, func, writes: 0 });
  }

  /** Notes that a variable is assigned. */
  write({ node }: Variable): void {
    const found = this.#variables.get(node);
    if (found) found.writes += 1;
  }

  /** Notes a value that a function returns, to calls whose arguments pass tests. */
  give(func: Func, node: Node, tests: readonly ParameterTest[] = []): void {
    const own = [func.receiver, ...func.parameters].filter((each) => each !== undefined && !each.rest);
    const state = own.find((each) => each?.state === node);
    if (state) pass(func, state, node);
    else {
      const found = this.#variables.get(node);
      const parameter =
        found?.func === func ? own.find((each) => each?.name === found.variable.name) : undefined;
      if (tests.length > 0) {
        node.flowTo(passedOf(func));
        (func.tested ??= []).push({ value: node, tests });
      } else if (parameter) this.#returned.push({ func, parameter, node });
      else node.flowTo(func.returned);
    }
  }

  /** Decides, once all assignments are known. */
  settle(): void {
    for (const { func, parameter, node } of this.#returned)
      if (this.#variables.get(node)?.writes === 1) pass(func, parameter, node);
      else node.flowTo(func.returned);
  }
}

function pass(func: Func, parameter: FuncParameter, value: Node): void {
  value.flowTo(passedOf(func));
  parameter.returned = true;
}

function passedOf(func: Func): Node {
  if (!func.passed) func.returned.flowTo((func.passed = new Node()));
  return func.passed;
}
