import { Node } from '../node.js';
import type { LanguageRules, UtilityType } from '../language-rules.js';
import type { Scope } from '../program.js';
import { functionOf, type Value } from '../values.js';
import type { Engine } from './engine.js';

/** What a type that the project does not declare makes of its argument: `Readonly<T>`. */
export function utilityOf(
  target: { module: string; name: string },
  { unit }: Scope,
): UtilityType | undefined {
  return target.module === '' ? unit.rules.utilityTypes?.[target.name] : undefined;
}

/** The node of what a type of the language makes of its argument. */
export function utilityNode(
  engine: Engine,
  utility: UtilityType,
  argument: Node,
  rules: LanguageRules,
): Node {
  if (utility === 'same') return argument;
  const node = new Node();
  const apply = {
    awaited: addAwaited,
    result: addResult,
    parameters: addParameters,
    instance: addInstance,
  }[utility];
  const known = new Set(argument.values);
  for (const value of known) apply(engine, value, node, rules);
  engine.solver.watch(argument, (value) => {
    if (!known.has(value)) apply(engine, value, node, rules);
  });
  return node;
}

/** What a promise gives, or another value itself. */
export function addAwaited({ containers, solver }: Engine, value: Value, to: Node): void {
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

/** A tuple of the types of the parameters. */
function addParameters(engine: Engine, value: Value, to: Node, rules: LanguageRules): void {
  const { solver, types, classes, containers } = engine;
  if (value.kind === 'external') solver.add(to, value);
  const func =
    value.kind === 'class' ? classes.constructorsOf(classes.canonical(value))[0] : functionOf(value);
  const declared = func?.parameters.map(({ type, node }) => (type ? types.node(type, func.scope) : node));
  const all = declared ?? (value.kind === 'signature' ? value.parameters : undefined);
  if (!all) return;
  const rest = func?.parameters.findIndex((each) => each.rest) ?? -1;
  const items = all
    .slice(0, rest < 0 ? undefined : rest)
    .map((node, index) => ({ key: String(index), node }));
  const made = containers.make('tuple', rules, items, false, { isType: true, grows: rest >= 0 });
  if (!made) return;
  solver.add(to, made);
  const others = all[rest];
  if (others) containers.spread(others, made);
}
