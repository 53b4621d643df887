import { Node } from '../node.js';
import type { FreeName, Target, Unit, Variable } from '../program.js';
import type { Engine } from './engine.js';
import type { Class } from '../declarations.js';
import type { FoundMember } from './class-table.js';
import { flowHit } from './flow-hit.js';
import { isPrivateFunction } from './overloads.js';

/** Finds a name among members of the classes around it, then outside the file. */
export function linkFreeName(engine: Engine, free: FreeName, unit: Unit): void {
  const { classes, bindings, members, types, solver } = engine;
  const { isStatic } = free;
  let passed: Target | null = null;
  for (const each of free.classes) {
    const owner = each.kind === 'class' ? each : each.owner;
    const container = owner && classes.canonical(owner);
    const found = container && classes.member(container, free.name, isStatic ? 'static' : 'instance');
    if (!found && each.kind === 'class') passed = bindings.passedBy(each, free.name);
    if (passed) break;
    if (!found || isConstructors(found.variable)) continue;
    if (found.owner !== container && !isInherited(engine, container, free.name, found)) continue;
    free.target = { kind: 'member', class: container, isStatic };
    const own = isStatic ? container : types.own(container);
    const access = { name: free.name, isSuper: false, scope: free.scope, isBare: true } as const;
    for (const hit of members.find(own, access)) flowHit(engine, hit, free.node);
    for (const value of free.stores ?? []) members.store(own, free.name, value);
    return;
  }
  const lexical = passed ? undefined : free.lexical;
  free.target =
    passed ??
    (lexical
      ? bindings.follow({ kind: 'variable', variable: lexical })
      : bindings.outside(free.name, unit, free.scope));
  if (isOfObjects(engine, free, unit)) free.target = null;
  const external = free.target?.kind === 'external' ? free.target : undefined;
  const isGlobal = external?.module === '';
  // The name of a package comes before the guess that it is one of the language, or of a module.
  const isGuess = isGlobal || external?.isGuess;
  if (isGuess && free.paths?.some(({ names }) => bindings.ofPath(names, unit))) free.target = null;
  const builtin = isGlobal && free.target ? engine.builtins.find(unit.rules, free.name) : undefined;
  if (lexical) solver.copy(lexical.node, free.node);
  else if (builtin) solver.add(free.node, builtin);
  else for (const hit of members.ofTarget(free.target)) flowHit(engine, hit, free.node);
  // What a module assigns as a whole may be one of the names that it exported before.
  if (free.name === unit.rules.exportsName && free.target?.kind === 'assigned' && free.target.unit === unit)
    solver.add(free.node, engine.values.module([unit]));
  const home = lexical ?? (free.target?.kind === 'variable' ? free.target.variable : undefined);
  for (const value of free.stores ?? []) if (home) solver.copy(value, home.node);
  if (free.target) return;
  for (const { names, node } of free.paths ?? []) {
    const found = bindings.ofPath(names, unit);
    if (!found) continue;
    let hits = members.ofTarget(found.target);
    for (const name of names.slice(found.used)) {
      const next = new Node();
      const step = new Node();
      for (const hit of hits) flowHit(engine, hit, step);
      solver.watch(step, (value) => {
        for (const hit of members.find(value, { name, isSuper: false, scope: unit.scope }))
          flowHit(engine, hit, next);
      });
      hits = [{ kind: 'node', node: next, variable: undefined, inModule: false }];
    }
    for (const hit of hits) flowHit(engine, hit, node);
  }
}

/** Constructors are not found by a bare name: inside a class that is the name of the class. */
function isConstructors({ declarations }: Variable): boolean {
  return declarations?.every((each) => each.kind === 'function' && each.code.constructor_ === true) === true;
}

/** False where supertypes have a name for themselves only: the name is then one of the code around the class. */
function isInherited({ classes }: Engine, container: Class, name: string, found: FoundMember): boolean {
  if (container.unit.rules.overrides !== 'visible') return true;
  let next: FoundMember | null = found;
  while (next && next.owner !== container && isHidden(next.variable))
    next = classes.member(container, name, 'instance', next.owner);
  return next !== null;
}

function isHidden({ declarations = [] }: Variable): boolean {
  const functions = declarations.filter((each) => each.kind === 'function');
  return functions.length > 0 && functions.every(isPrivateFunction);
}

/** True for a name of the language that is a member of the object around it: `tap` of Ruby. */
function isOfObjects({ builtins, classes }: Engine, free: FreeName, { rules }: Unit): boolean {
  if (free.target?.kind !== 'external' || rules.bareNames !== 'members' || rules.receiver !== 'dynamic')
    return false;
  const top = rules.topType === undefined ? undefined : builtins.find(rules, rules.topType);
  return top !== undefined && free.classes.length > 0 && classes.member(top, free.name, 'instance') !== null;
}
