import type { CallArgument } from '../instructions.js';
import type { Func, ParameterTest } from '../declarations.js';
import type { Node } from '../node.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/** Gives a call the values that a function returns to arguments like those of the call: `if function is None: return …`. */
export function giveTested(engine: Engine, func: Func, args: readonly CallArgument[], result: Node): void {
  for (const { value, tests } of func.tested ?? []) {
    const give = tests.reduceRight<() => void>(
      (next, test) => () => whenPassed(engine, func, args, test, next),
      () => engine.solver.copy(value, result),
    );
    give();
  }
}

/** Calls back, once, if the argument of a call may pass a test. */
function whenPassed(
  { solver, undecided }: Engine,
  func: Func,
  args: readonly CallArgument[],
  { parameter, test, holds }: ParameterTest,
  then: () => void,
): void {
  const at = func.parameters.indexOf(parameter);
  const { name } = parameter;
  const spread = args.some((each) => each.spread !== undefined);
  const given = args.find((each) => each.name === name) ?? args.filter((each) => each.name === undefined)[at];
  if (!given && !spread) {
    const initial = func.code.parameters[at]?.default;
    const isNull = initial?.kind === 'literal' && initial.type === 'null';
    if (!isNull || (test === 'null') === holds) then();
    return;
  }
  const node = spread ? undefined : given?.node;
  if (!node) {
    then();
    return;
  }
  let done = false;
  const finish = (): void => {
    if (!done) then();
    done = true;
  };
  solver.watch(node, (value) => {
    if (mayPass(value, test, holds)) finish();
  });
  undecided.add(() => {
    if (!node.values) finish();
  });
}

/** A function is not null, and a constant cannot be called. What else may be beside an object is not known. */
function mayPass(value: Value, test: ParameterTest['test'], holds: boolean): boolean {
  if (value.kind === 'instance' && value.constant) return test === 'null' || !holds;
  if (value.kind === 'instance' || value.kind === 'external') return true;
  return (test === 'callable') === holds;
}
