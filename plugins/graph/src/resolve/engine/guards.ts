import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Class, Func } from '../declarations.js';
import type { CallArgument, Instruction } from '../instructions.js';
import type { Node } from '../node.js';
import type { Scope } from '../program.js';
import { functionOf, type Instance, type Value } from '../values.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';

/** Aliases of types are followed this far. */
const MAX_NESTING = 8;

/** What the result of a function tells of a parameter: `a is T`. */
export function guardOf({ code: { returns } }: Func): code.Guard | undefined {
  return returns?.kind === 'other' ? returns.guard : undefined;
}

/** Gives a variable its values where a function has tested it. All of them, unless the function tests for a type. */
export function narrow(engine: Engine, instruction: Extract<Instruction, { kind: 'narrowed' }>): void {
  const { scope, test, argument, excludes, value, node } = instruction;
  const tests = functionsNamed(engine, test, scope).filter((each) => {
    const guard = guardOf(each);
    return guard !== undefined && !guard.asserts && isParameter(each, argument, guard);
  });
  if (tests.length === 0) engine.solver.copy(value, node);
  else if (excludes) exclude(engine, tests, value, node);
  else for (const each of tests) prove(engine, each, value, node);
}

/**
 * Those values of a variable that are of a type, or not. Where no known value is of it, the type itself: the values that
 * are known are seldom all.
 */
export function proveType(engine: Engine, instruction: Extract<Instruction, { kind: 'proved' }>): void {
  const { solver, types, builtins } = engine;
  const { scope, type, excludes, value, node } = instruction;
  if (type.kind === 'function') {
    solver.watch(value, (each) => {
      const isConstant = each.kind === 'instance' && each.constant !== undefined;
      if (excludes || !isConstant) solver.add(node, each);
    });
    return;
  }
  const proved = types.node(type, scope).values ?? [];
  const classes = proved.flatMap((each) => (each.kind === 'instance' ? [each.class] : []));
  const isKnown = classes.length === proved.length && !classes.some((each) => builtins.isBuiltin(each));
  if (!isKnown || proved.length === 0) solver.copy(value, node);
  else
    solver.watch(value, (each) => {
      const isProved = each.kind === 'instance' && isOf(engine, each, classes);
      // An object of a declared type may be of a subclass that is of the other type too.
      const isWider = each.kind === 'instance' && each.open && !isProved;
      const narrows = isWider && classes.some((one) => isOf(engine, { class: one }, [each.class]));
      if (excludes ? !isProved : isProved || (isWider && !narrows)) solver.add(node, each);
    });
  if (!excludes)
    engine.undecided.add(() => {
      if (!node.values) for (const each of proved) solver.add(node, each);
    });
}

/** A call that returns proves what the function asserts of its arguments. */
export function assertArguments({ types, solver }: Engine, func: Func, args: readonly CallArgument[]): void {
  const guard = guardOf(func);
  if (!guard?.asserts) return;
  const node = args.find((each, index) => !each.spread && isParameter(func, index, guard))?.node;
  for (const each of node ? (types.node(guard.type, func.scope).values ?? []) : [])
    if (node && each.kind === 'instance' && !each.open) solver.add(node, each);
}

type FunctionType = Extract<code.Type, { kind: 'function' }>;

/** The type that a function on a list tests for is that of what passes: `list.filter(isStore)`. */
export function matchGuard(
  engine: Engine,
  value: Value | undefined,
  { returns }: FunctionType,
  scope: Scope,
  environment: Environment | undefined,
): void {
  if (returns?.kind !== 'other' || !returns.guard) return;
  const { types, typeNames, substitution, solver } = engine;
  const { type } = returns.guard;
  const [own] = returns.of ?? [type];
  const target =
    type.kind === 'named' ? typeNames.find(type.path, scope, type.arguments?.length ?? 0) : undefined;
  const into = target?.kind === 'parameter' ? environment?.parameters.get(target.parameter) : undefined;
  if (!into || !own) return;
  const elements = substitution.of(types.node(own, scope), environment);
  const func = value && functionOf(value);
  const tested = func && guardOf(func);
  if (tested && !tested.asserts && isParameter(func, 0, tested)) prove(engine, func, elements, into);
  else solver.copy(elements, into);
}

/** A function that is not known may let everything pass. */
export function settleGuard(
  engine: Engine,
  type: FunctionType,
  scope: Scope,
  from: Node,
  environment: Environment | undefined,
): void {
  if (type.returns?.kind !== 'other' || !type.returns.guard) return;
  engine.undecided.add(() => {
    if (!from.values) matchGuard(engine, undefined, type, scope, environment);
  });
}

function isParameter(func: Func, index: number, { name }: code.Guard): boolean {
  return func.parameters[index]?.name === name;
}

/** Values of the type that a function tests for: those that a variable has already, else the type itself. */
function prove(engine: Engine, func: Func, from: Node, to: Node): void {
  const { solver, types, builtins, values } = engine;
  const guard = guardOf(func);
  const proved = guard ? (types.node(guard.type, func.scope).values ?? []) : [];
  const objects = proved.filter((each) => each.kind === 'instance' && !builtins.isBuiltin(each.class));
  if (objects.length === 0 || objects.length < proved.length) {
    solver.copy(from, to);
    return;
  }
  const classes = objects.flatMap((each) => (each.kind === 'instance' ? [each.class] : []));
  solver.watch(from, (value) => {
    if (value.kind === 'instance' && (value.site || isOf(engine, value, classes))) solver.add(to, value);
  });
  for (const each of objects)
    if (each.kind === 'instance') solver.add(to, each.open ? values.instance(each.class, [], false) : each);
}

/** The values of a variable that are not of a type that a function tests for. */
function exclude(engine: Engine, tests: readonly Func[], from: Node, to: Node): void {
  const { solver } = engine;
  const classes = tests.flatMap((each) => {
    const guard = guardOf(each);
    return (guard && classesOf(engine, guard.type, each.scope)) ?? [];
  });
  solver.watch(from, (value) => {
    if (value.kind !== 'instance' || value.site || !isOf(engine, value, classes)) solver.add(to, value);
  });
}

function isOf(
  { classes: table }: Engine,
  value: Pick<Instance, 'class'>,
  classes: readonly Class[],
): boolean {
  return table.ancestors(value.class).some((each) => classes.includes(each.class));
}

/** The classes that a type is one of; undefined where it asks for more than a class. */
function classesOf(engine: Engine, type: code.Type, scope: Scope, nesting = 0): Class[] | undefined {
  if (type.kind === 'union') {
    const parts = type.of.map((each) => classesOf(engine, each, scope, nesting));
    return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
  }
  if (type.kind !== 'named' || type.arguments || nesting > MAX_NESTING) return undefined;
  const target = engine.typeNames.find(type.path, scope, 0);
  if (target?.kind === 'class') return target.class.generics.length === 0 ? [target.class] : undefined;
  if (target?.kind !== 'alias' || target.alias.parameters.length > 0) return undefined;
  return classesOf(engine, target.alias.type, target.alias.scope, nesting + 1);
}

/** The functions that a path of names means: `isStore`, `stores.isStore`, `this.isStore`. */
function functionsNamed(
  { typeNames, classes }: Engine,
  path: readonly string[],
  scope: Scope,
): readonly Func[] {
  const [first, second, ...others] = path;
  let variable;
  if (first === 'this') {
    const around = second !== undefined && others.length === 0 ? typeNames.classOf(scope) : undefined;
    const member = around && second !== undefined ? classes.member(around, second, 'instance') : undefined;
    variable = member?.variable;
  } else {
    const target = typeNames.find(path, scope);
    variable = target?.kind === 'variable' ? target.variable : undefined;
  }
  return variable?.declarations?.filter((each) => each.kind === 'function') ?? [];
}
