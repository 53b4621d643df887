import { Node } from '../node.js';
import type { UtilityType } from '../language-rules.js';
import type { Scope } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/** What a type that the project does not declare makes of its argument: `Readonly<T>`. */
export function utilityOf(
  target: { module: string; name: string },
  { unit }: Scope,
): UtilityType | undefined {
  return target.module === '' ? unit.rules.utilityTypes?.[target.name] : undefined;
}

/** The node of what a type of the language makes of its argument. */
export function utilityNode(engine: Engine, utility: UtilityType, argument: Node): Node {
  if (utility === 'same') return argument;
  const node = new Node();
  const apply = { awaited: addAwaited, result: addResult, instance: addInstance }[utility];
  for (const value of argument.values ?? []) apply(engine, value, node);
  engine.solver.watch(argument, (value) => apply(engine, value, node));
  return node;
}

function addAwaited({ containers, solver }: Engine, value: Value, to: Node): void {
  if (!containers.operate(value, '@await', to)) solver.add(to, value);
}

function addResult({ solver, types }: Engine, value: Value, to: Node): void {
  if (value.kind === 'function') solver.copy(types.result(value), to);
  else if (value.kind === 'bound') solver.copy(types.result(value.function), to);
  else if (value.kind === 'signature' && value.returns) solver.copy(value.returns, to);
}

function addInstance({ solver, values, classes }: Engine, value: Value, to: Node): void {
  if (value.kind === 'class') solver.add(to, values.instance(classes.canonical(value), [], false));
}
