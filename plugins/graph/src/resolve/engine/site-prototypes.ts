import { Node } from '../node.js';
import type { Engine } from './engine.js';
import type { Site } from './site.js';

/** Prototypes of prototypes are followed this far. */
const MAX_CHAIN = 20;

/** An object has the members of others: `Object.create(a)`, `{ __proto__: a }`. */
export function inherit({ solver }: Engine, site: Site, from: Node): void {
  const prototypes = (site.prototypes ??= []);
  solver.watch(from, (value) => {
    if (value.kind === 'instance' && value.site && value.site !== site) prototypes.push(value.site);
  });
}

/** A member of an object by its name: its own, else that of its prototypes. */
export function readMember(engine: Engine, site: Site, name: string): Node {
  const node = new Node();
  site.readMember(name, node);
  if (site.prototypes) engine.undecided.add(() => readInherited(site, name, node, 0));
  return node;
}

function readInherited(site: Site, name: string, to: Node, hops: number): void {
  if (hops > MAX_CHAIN || site.holds(name)) return;
  for (const each of site.prototypes ?? []) {
    each.readMember(name, to);
    readInherited(each, name, to, hops + 1);
  }
}
