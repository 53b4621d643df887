import type { CallSite } from '../instructions.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/** The builtin function of this name stores the members of objects in another: `Object.assign(Shop.prototype, events)`. */
export function copyMembers(engine: Engine, site: CallSite, name: string): void {
  if (site.unit.rules.copiesMembers !== name) return;
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

function copy(engine: Engine, from: Value, to: Value): void {
  const { site } = from.kind === 'instance' ? from : {};
  if (!site || from === to) return;
  if (to.kind === 'instance' && to.site) {
    to.site.include(site);
    return;
  }
  for (const [name, node] of site.named()) engine.members.store(to, name, node);
}
