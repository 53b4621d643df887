import type { CallSite, Instruction } from '../instructions.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import { elementsByName } from './module-members.js';
import { Site } from './site.js';

/** The builtin function of this name gives an object the members of others: `Object.assign(Shop.prototype, events)`. */
export function copyMembers(engine: Engine, site: CallSite, name: string): void {
  if (!site.unit.rules.copiesMembers?.includes(name)) return;
  const [target, ...sources] = site.arguments;
  if (!target?.node || target.spread) return;
  engine.solver.watch(target.node, (to) => {
    for (const { node, spread } of sources) {
      if (!node) continue;
      if (spread) {
        engine.solver.watch(node, (list) => {
          if (list.kind !== 'instance' || !list.site) return;
          engine.solver.watch(list.site.all, (from) => copy(engine, from, to));
        });
      } else engine.solver.watch(node, (from) => copy(engine, from, to));
    }
  });
}

/** The builtin function of this name makes an object, whose members are those of its prototype, too. */
export function makeObject(engine: Engine, site: CallSite, name: string): boolean {
  const { rules } = site.unit;
  if (rules.makesObject !== name) return false;
  const { solver, containers } = engine;
  const made = containers.make('object', rules, [], false);
  if (made) solver.add(site.result, made);
  const [prototype, own] = site.arguments;
  if (made && own?.node) solver.watch(own.node, (value) => copy(engine, value, made));
  if (!prototype?.node || prototype.spread) return true;
  solver.watch(prototype.node, (value) => {
    const isKnown = value.kind === 'external' || (value.kind === 'instance' && !value.site);
    if (isKnown) solver.add(site.result, value);
    else if (made) copy(engine, value, made);
  });
  return true;
}

/** A loop stores each member of an object in another: all that it may read, in all that it may store to. */
export function copyEach(engine: Engine, { from, to }: Extract<Instruction, { kind: 'copy' }>): void {
  const { solver, containers, members, functionObjects } = engine;
  const copied = new Site(solver, []);
  solver.watch(from, (value) => {
    if (value.kind === 'instance' && value.site) copied.include(value.site);
    else containers.load(value, undefined, copied.unknown);
  });
  solver.watch(to, (target) => {
    if (target.kind === 'instance' && target.site) {
      target.site.include(copied);
      return;
    }
    containers.store(target, undefined, copied.unknown);
    copied.follow((key, node) => {
      if (key === undefined) return;
      members.store(target, key, node);
      if (target.kind === 'instance')
        solver.watch(node, (value) => functionObjects.noteMethod(target, { values: [value] }));
    });
  });
}

function copy(engine: Engine, from: Value, to: Value): void {
  const site = from === to ? undefined : elementsByName(engine, from);
  if (!site) return;
  if (to.kind === 'instance' && to.site) {
    to.site.include(site);
    return;
  }
  for (const [name, node] of site.named()) engine.members.store(to, name, node);
}
