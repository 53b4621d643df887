import type { Class } from '../declarations.js';
import type { CallArgument, CallSite } from '../instructions.js';
import type { External, Value } from '../values.js';
import type { Engine } from './engine.js';

/**
 * The result of such a function calls its first argument with the others; one that makes methods binds its first argument
 * to the second. False where the function is another.
 */
export function bindArguments(engine: Engine, site: CallSite, { module, name }: External): boolean {
  const { partial, methodType, functionKinds } = site.unit.rules;
  const called = module === '' ? name : `${module}.${name}`;
  if (called === methodType) bindMethod(engine, site);
  else if (called === functionKinds?.static)
    bindFirst(engine, { ...site, arguments: site.arguments.slice(0, 1) });
  else if (called === functionKinds?.ofClass) bindToClass(engine, site);
  else if (called === partial) bindFirst(engine, site);
  else return false;
  return true;
}

/** The same for a class of the project: a copy of the standard library is resolved like the library itself. */
export function bindArgumentsOf(engine: Engine, site: CallSite, { unit, name }: Class): boolean {
  const { partial } = unit.rules;
  if (partial === undefined || name === undefined || !partial.endsWith(`.${name}`)) return false;
  const module = unit.path.replace(/^.*\/|\.[^./]*$/g, '');
  if (partial !== `${module}.${name}`) return false;
  bindFirst(engine, site);
  return true;
}

function bindFirst({ solver }: Engine, { arguments: [first, ...given], result }: CallSite): void {
  if (!first?.node) return;
  solver.watch(first.node, (value) => solver.add(result, withArguments(value, given)));
}

/** A value that is called with these arguments before those of the call. */
function withArguments(value: Value, given: readonly CallArgument[]): Value {
  if (value.kind === 'function') return { kind: 'bound', function: value, receiver: undefined, given };
  if (value.kind === 'bound') return { ...value, given: [...(value.given ?? []), ...given] };
  if (value.kind === 'class') return { kind: 'partial', class: value, given };
  return value.kind === 'partial' ? { ...value, given: [...value.given, ...given] } : value;
}

function bindToClass(
  { solver, values, typeNames }: Engine,
  { arguments: [func], scope, result }: CallSite,
): void {
  const container = typeNames.classOf(scope);
  if (!func?.node) return;
  solver.watch(func.node, (value) => {
    const isMethod = value.kind === 'function' && container !== undefined;
    solver.add(result, isMethod ? values.bound(value, container) : value);
  });
}

function bindMethod({ solver, values }: Engine, { arguments: [func, object], result }: CallSite): void {
  if (!func?.node || !object?.node) return;
  const receivers = object.node;
  solver.watch(func.node, (value) => {
    if (value.kind !== 'function') solver.add(result, value);
    else solver.watch(receivers, (receiver) => solver.add(result, values.bound(value, receiver)));
  });
}
